package transform

import (
	"context"
	"path/filepath"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// repairedModels are real models that are repaired for the reference kernels.
var repairedModels = []string{"face_detection_front_fp16.tflite", "movinet_int8.tflite", "test_model_redux_precision.bin"}

// TestRepairModels: real models that TensorFlow Lite Micro refuses run there after a repair, and their outputs in LiteRT
// are bit-identical to those of the original.
func TestRepairModels(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: the real runtimes take a while")
	}
	oracle.Require(t)
	runtimes := oracle.Start(t)
	d := rules.DefaultDevice()
	var names []string
	for _, f := range corpus.Accepted(t) {
		m, err := tflite.Open(f.Path)
		if err != nil || f.Slow() || len(m.Data) > 1<<23 || len(rules.Failing(d.Rules().Faults(m))) == 0 {
			continue
		}
		r, err := Repair(context.Background(), m, Options{Device: d})
		if err != nil || len(d.Rules().Faults(r.Model)) > 0 {
			continue
		}
		name := filepath.Base(f.Path)
		names = append(names, name)
		if a := runIn(t, runtimes, "tflm", r.Model); a.Error != "" {
			t.Errorf("%s: %s", name, a.Error)
		}
		x, y := runIn(t, runtimes, "litert", m), runIn(t, runtimes, "litert", r.Model)
		if x.Error != "" || y.Error != "" || !slices.EqualFunc(x.Outputs, y.Outputs, slices.Equal) {
			t.Errorf("%s: outputs differ (%s, %s)", name, x.Error, y.Error)
		}
	}
	if slices.Sort(names); !slices.Equal(names, repairedModels) {
		t.Errorf("repaired are %v, want %v", names, repairedModels)
	}
}

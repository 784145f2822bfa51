package transform

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/sample"
)

// figure is what substitution makes of a network on a kernel library.
type figure struct {
	Network string `json:"network"`
	Kernels string `json:"kernels"`
	// Before and After are the required arenas, in bytes, of [least].
	Before int64          `json:"before"`
	After  int64          `json:"after"`
	Rules  map[string]int `json:"rules"`
}

// TestFigures: substitution saves as much memory as it did. Assertions are left out of the builds.
func TestFigures(t *testing.T) {
	var list []figure
	libraries := []string{"reference", "cmsis-nn-mve", "cmsis-nn-dsp", "esp-nn-s3", "esp-nn-p4"}
	networks := []string{
		"wakewords/okay_nabu", "wakewords/hey_jarvis", "wakewords/vad", "models/micro/str_ww_ref_model", "models/micro/person_detect",
		"models/micro/vww_96_int8", "models/micro/kws_ref_model", "models/micro/ad01_int8", "models/nets/mobilenet_v1_0.25_128",
		"models/nets/face_detection_front", "models/nets/mobilenet_edgetpu_0.75_224_post_training_quant",
	}
	// Three networks are large.
	leftOut := func(i int) bool { return i >= len(libraries)*(len(networks)-3) && !*golden.Audit }
	for _, name := range networks {
		m := sample.OpenFile(t, filepath.Join(corpus.Dir(t), name+".tflite"))
		for _, library := range libraries {
			f := figure{Network: filepath.Base(name), Kernels: library, Rules: map[string]int{}}
			if leftOut(len(list)) {
				list = append(list, f)
				continue
			}
			d := device(t, library)
			r, err := Substitute(context.Background(), m, Options{Device: d, NoAssertions: true})
			if err != nil {
				t.Fatalf("%s on %s: %v", name, library, err)
			}
			f.Before, f.After = required(t, m, d), required(t, r.Model, d)
			for _, a := range r.Applied {
				f.Rules[a.Rule.Name] += len(a.Operators)
			}
			checkSubstituted(t, d, true, m, r)
			list = append(list, f)
		}
	}
	golden.Rows(t, "testdata/figures.json", list, leftOut)
}

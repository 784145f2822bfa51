package shrink

import (
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// TestKernelsOfChip fits models for a chip whose kernels copy their inputs and filters: pieces need
// less scratch, which is counted.
func TestKernelsOfChip(t *testing.T) {
	device, err := rules.UsualDevice("esp-nn-s3")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		model     string
		own, head int64
	}{
		{"person_detect.tflite", 95_456, 60_000},
		{"pretrainedResnet_quant.tflite", 104_896, 52_000},
		{"mcunet-320kb-1mb_imagenet.tflite", 449_728, 200_000},
	} {
		m, err := tflite.Open(corpus.Model(t, c.model).Path)
		if err != nil {
			t.Fatal(err)
		}
		g := goal()
		g.HeadBudget, g.Device = c.head, device
		r := run(t, t.Context(), m, g)
		if own, best := r.Steps[0], r.Steps[r.Best]; own.Head != c.own || !r.Met {
			t.Errorf("%s: head %d, was %d: want at most %d, and %d", c.model, best.Head, own.Head, c.head, c.own)
		}
	}
}

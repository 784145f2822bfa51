package improve

import (
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/schema"
)

// TestNewPlanIsForTheGoalsKernels: a plan without a marker is judged for the kernels that it was made
// for. Here the sum lies over an addend, which the assembler of ESP-NN is not known to permit.
func TestNewPlanIsForTheGoalsKernels(t *testing.T) {
	tensor := encode.Tensor{Type: schema.TensorTypeINT8, Shape: []int32{64}}
	m := modelfile.Parse(t, encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{{
		Tensors: []encode.Tensor{tensor, tensor, tensor}, Inputs: []int{0, 1}, Outputs: []int{2},
		Operators: []encode.Operator{{Builtin: schema.BuiltinOperatorADD, Inputs: []int{0, 1}, Outputs: []int{2}}},
	}}}))
	r, err := rewrite.Embed(m, []int32{0, 64, 0}, rewrite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for kernels, right := range map[string]bool{"reference": true, "cmsis-nn-mve": true, "esp-nn-ansi@1.2.3": true, "esp-nn-s3": false} {
		device, err := rules.UsualDevice(kernels)
		if err != nil {
			t.Fatal(err)
		}
		w, err := newImprover(t.Context(), m, Goal{Device: device}.completed())
		if err != nil {
			t.Fatal(err)
		}
		d := w.decide(w.asItIs().take(r), Embedded, Note{})
		d.head = 128
		if _, err = w.inspect(t.Context(), d); right != (err == nil) || err != nil && !strings.Contains(err.Error(), "share memory") {
			t.Errorf("%s: %v", kernels, err)
		}
	}
}

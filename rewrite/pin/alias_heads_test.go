package pin_test

import (
	"math/rand/v2"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// concatenate makes an operator a concatenation along the first dimension.
func concatenate(op *encode.Operator) {
	op.Builtin, op.OptionsType = schema.BuiltinOperatorCONCATENATION, schema.BuiltinOptionsConcatenationOptions
	op.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		schema.ConcatenationOptionsStart(b)
		return schema.ConcatenationOptionsEnd(b)
	}
}

// joining returns a random model of operators that compute and operators that join what
// there is: parts leave room in the whole until it is made.
func joining(seed uint64) encode.Model {
	r := rand.New(rand.NewPCG(seed, 1))
	s := encode.Subgraph{Tensors: []encode.Tensor{{Shape: []int32{2, 4}}}, Inputs: []int{0}}
	for range 3 + r.IntN(10) {
		out := encode.Tensor{Shape: []int32{0, 4}}
		op := encode.Operator{Builtin: schema.BuiltinOperatorRELU}
		inputs := 1
		if r.IntN(2) == 0 {
			inputs = 1 + r.IntN(3)
			concatenate(&op)
		}
		for range inputs {
			in := max(len(s.Tensors)-1-r.IntN(4), 0)
			op.Inputs = append(op.Inputs, in)
			out.Shape[0] += s.Tensors[in].Shape[0]
		}
		op.Outputs = []int{len(s.Tensors)}
		s.Tensors, s.Operators = append(s.Tensors, out), append(s.Operators, op)
	}
	s.Outputs = []int{len(s.Tensors) - 1}
	return encode.Model{Subgraphs: []encode.Subgraph{s}}
}

// TestHeadsOfTakeovers: the head that is promised is the one that the runtime makes of the
// plan, also where it puts tensors where others lie that share memory with larger ones;
// and it is not below what is called a bound.
func TestHeadsOfTakeovers(t *testing.T) {
	shared := 0
	for seed := range uint64(60) {
		m, err := tflite.Parse(encode.Encode(joining(seed)), "joining.tflite")
		if err != nil {
			t.Fatal(err)
		}
		v := sample.Micro(t, m)
		for _, mode := range []pin.Mode{pin.Peak, pin.All} {
			for _, alias := range rules.Aliases() {
				choice, err := pin.Choose(t.Context(), v, pin.Options{Mode: mode, Alias: alias, Scratch: []rules.Request{{Operator: 1, Bytes: 40}}})
				if err != nil {
					t.Fatal(err)
				}
				o, err := pin.Follow(t.Context(), rules.Micro(), m, choice.Offsets, []rules.Request{{Operator: 1, Bytes: 40}})
				if err != nil {
					t.Fatal(err)
				}
				if o.Head != choice.Head || o.Head < choice.Bound || choice.Head > choice.Own {
					t.Errorf("model %d, --pin %s, --alias %s: head %d, promised %d, own %d, bound %d", seed, mode, alias, o.Head, choice.Head, choice.Own, choice.Bound)
				}
				if len(choice.Taken) > 0 {
					shared++
				}
			}
		}
	}
	if shared < 60 {
		t.Errorf("%d plans share memory", shared)
	}
}

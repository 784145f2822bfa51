package oneop_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/oneop"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// apart are the operators that are not drawn, since they do nothing without others.
var apart = map[schema.BuiltinOperator]bool{
	schema.BuiltinOperatorCALL_ONCE: true, schema.BuiltinOperatorVAR_HANDLE: true,
	schema.BuiltinOperatorREAD_VARIABLE: true, schema.BuiltinOperatorASSIGN_VARIABLE: true,
}

// TestDrawCoversOperators: every operator that the runtime has a kernel for is drawn with several types of
// its operands, with models that run and with models that do not.
func TestDrawCoversOperators(t *testing.T) {
	type seen struct {
		types       map[string]bool
		runs, stops int
	}
	drawn := map[string]*seen{}
	for i := range uint64(12000) {
		c := oneop.Draw(2, i)
		if again := oneop.Draw(2, i); !bytes.Equal(c.Model, again.Model) {
			t.Fatalf("model %d is another one when it is drawn again", i)
		}
		m, err := tflite.Parse(c.Model, c.Operator)
		if err != nil {
			t.Fatalf("model %d, %s: %v", i, c.Operator, err)
		}
		s := drawn[c.Operator]
		if s == nil {
			s = &seen{types: map[string]bool{}}
			drawn[c.Operator] = s
		}
		s.types[c.Types] = true
		if len(rules.Stop(rules.Micro().Faults(m))) > 0 {
			s.stops++
		} else {
			s.runs++
		}
	}
	for code := range schema.EnumNamesBuiltinOperator {
		if apart[code] || code == schema.BuiltinOperatorCUSTOM || !hasKernel(t, code) {
			continue
		}
		s := drawn[code.String()]
		if s == nil {
			t.Errorf("%v is not drawn", code)
			continue
		}
		if len(s.types) < 3 || s.runs < 5 || s.stops < 1 {
			t.Errorf("%v: %d models run and %d do not, of the types %s", code, s.runs, s.stops, strings.Join(keys(s.types), "; "))
		}
	}
}

// hasKernel reports whether the runtime has a kernel for an operator.
func hasKernel(t *testing.T, code schema.BuiltinOperator) bool {
	t.Helper()
	tensor := encode.Tensor{Shape: []int32{1}}
	model := encode.Model{Subgraphs: []encode.Subgraph{{
		Tensors: []encode.Tensor{tensor, tensor}, Inputs: []int{0}, Outputs: []int{1},
		Operators: []encode.Operator{{Builtin: code, Inputs: []int{0}, Outputs: []int{1}}},
	}}}
	m, err := tflite.Parse(encode.Encode(model), "any")
	if err != nil {
		return true // an operator that needs its options
	}
	for _, f := range rules.Micro().Faults(m) {
		if f.Phase == rules.NoKernel {
			return false
		}
	}
	return true
}

func keys(m map[string]bool) (list []string) {
	for k := range m {
		list = append(list, k)
	}
	return list
}

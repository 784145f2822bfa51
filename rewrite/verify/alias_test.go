package verify

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/schema"
)

// TestMarkerAlias: a marker may say more than its plan needs, and not less.
func TestMarkerAlias(t *testing.T) {
	tensor := encode.Tensor{Type: schema.TensorTypeINT8, Shape: []int32{64}}
	pair := func(code schema.BuiltinOperator) encode.Model {
		return encode.Model{Subgraphs: []encode.Subgraph{{
			Tensors: []encode.Tensor{tensor, tensor}, Inputs: []int{0}, Outputs: []int{1},
			Operators: []encode.Operator{{Builtin: code, Inputs: []int{0}, Outputs: []int{1}}},
		}}}
	}
	copies, computes := pair(schema.BuiltinOperatorRESHAPE), pair(schema.BuiltinOperatorRELU)
	together, apart := []int32{0, 0}, []int32{0, 64}
	for _, c := range []struct {
		model   encode.Model
		offsets []int32
		alias   string
		want    Severity // of what is said of the marker
	}{
		{copies, together, "off", Failure},
		{copies, together, "safe", ""},
		{copies, together, "diagonal", ""},
		{copies, apart, "off", ""},
		{computes, together, "safe", Failure},
		{computes, together, "elementwise", ""},
		{computes, together, "overwrite", ""},
		{computes, together, "later", Note},
		{computes, apart, "later", ""},
		{computes, apart, "safe", ""},
	} {
		marker := fmt.Sprintf(`{"version":1,"alias":%q,"kernels":"reference"}`, c.alias)
		m := modelfile.Build(t, sample.WithMarker(sample.WithPlan(c.model, sample.PlanData(1, c.offsets)), marker))
		var got Severity
		for _, f := range verify(t, m).Findings {
			if f.Law != LawMarker {
				continue
			}
			got = f.Severity
			if f.Path != "metadata[1]" || !strings.Contains(f.Message, "level "+c.alias) || f.Severity == Failure && len(f.Tensors) != 2 {
				t.Errorf("%+v", f)
			}
		}
		if got != c.want {
			t.Errorf("%v at %v at alias level %s: %q, want %q", c.model.Subgraphs[0].Operators[0].Builtin, c.offsets, c.alias, got, c.want)
		}
	}
}

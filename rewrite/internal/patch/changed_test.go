package patch

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/schema"
)

// overlaid returns a model with a plan whose bytes are those of the first tensor's shape
// too, and their position; false returns them apart.
func overlaid(t *testing.T, together bool) (data []byte, at int64) {
	t.Helper()
	source := sample.WithPlan(sample.Chain(), sample.PlanData(1, sample.ChainPlan))
	source.Tail = make([]byte, 512) // room for the plan's bytes to be numbers of 4 B
	m := modelfile.Build(t, source)
	data = bytes.Clone(m.Data)
	r := schema.GetRootAsModel(data, 0)
	var s schema.SubGraph
	var tensor schema.Tensor
	r.Subgraphs(&s, 0)
	s.Tensors(&tensor, 0)
	shape, ok := FieldAt(tensor.Table(), 0)
	var b schema.Buffer
	r.Buffers(&b, m.Metadata[PlanEntries(m)[0]].Buffer)
	plan, found := FieldAt(b.Table(), 0)
	if !ok || !found {
		t.Fatal("the model has no shape or no plan")
	}
	shapeAt, planAt := shape+int64(le.Uint32(data[shape:])), plan+int64(le.Uint32(data[plan:]))
	switch {
	case !together:
	case planAt > shape:
		le.PutUint32(data[shape:], uint32(planAt-shape))
	default:
		le.PutUint32(data[plan:], uint32(shapeAt-plan))
		planAt = shapeAt
	}
	return data, planAt + 4
}

// A byte may be changed when one part of the model has it, not when two have.
func TestSharedBytes(t *testing.T) {
	for _, together := range []bool{false, true} {
		old, at := overlaid(t, together)
		data := bytes.Clone(old)
		data[at] ^= 2
		if got := changedBytes(old, data, 0, nil); len(got) != 1 || got[0] != at {
			t.Fatalf("changed %v, want %d", got, at)
		}
		err := SharedBytes(old, data, 0)
		if !together && err != nil || together && (err == nil || !strings.Contains(err.Error(), "Tensor.shape")) {
			t.Errorf("shared %v: error %v", together, err)
		}
		if refused := (*RefusedError)(nil); together && !errors.As(err, &refused) {
			t.Errorf("%v is no refusal", err)
		}
	}
}

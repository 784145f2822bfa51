package rewrite

import (
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
)

// Data that two buffers share is not overwritten.
func TestSharedData(t *testing.T) {
	source := sample.WithPlan(sample.WithPlan(sample.Chain(), encodePlan(0, make([]int32, 5))), encodePlan(0, make([]int32, 5)))
	source.Metadata[1].Name = "copy"
	data := encode.Encode(source)
	r := patch.RootOf(modelfile.Parse(t, data))
	var first, second schema.Buffer
	model := schema.GetRootAsModel(data, 0)
	model.Buffers(&first, 3)
	model.Buffers(&second, 4)
	from, _ := patch.FieldAt(first.Table(), 0)
	to, _ := patch.FieldAt(second.Table(), 0)
	if target := r.Follow(to); target > from {
		patch.Output(data).Refer(from, target)
	} else {
		patch.Output(data).Refer(to, r.Follow(from))
	}
	m := modelfile.Parse(t, data)
	if m.Buffers[3].Offset != m.Buffers[4].Offset {
		t.Fatal("the buffers do not share their data")
	}
	if res, out := embed(t, m, sample.ChainPlan); res.Method != Prefix {
		t.Errorf("%s", res.Method)
	} else {
		sample.SameContent(t, m, out, res.Added)
	}
}

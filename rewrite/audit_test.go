package rewrite

import (
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Data that two buffers share is not overwritten.
func TestSharedData(t *testing.T) {
	source := withPlan(withPlan(chain(), encodePlan(0, make([]int32, 5))), encodePlan(0, make([]int32, 5)))
	source.Metadata[1].Name = "copy"
	data := encode.Encode(source)
	r := rootOf(parse(t, data))
	var first, second schema.Buffer
	model := schema.GetRootAsModel(data, 0)
	model.Buffers(&first, 3)
	model.Buffers(&second, 4)
	from, _ := fieldAt(first.Table(), 0)
	to, _ := fieldAt(second.Table(), 0)
	if target := r.follow(to); target > from {
		output(data).refer(from, target)
	} else {
		output(data).refer(to, r.follow(from))
	}
	m := parse(t, data)
	if m.Buffers[3].Offset != m.Buffers[4].Offset {
		t.Fatal("the buffers do not share their data")
	}
	if res, out := embed(t, m, chainPlan); res.Method != Prefix {
		t.Errorf("%s", res.Method)
	} else {
		sameContent(t, m, out, res.Added)
	}
}

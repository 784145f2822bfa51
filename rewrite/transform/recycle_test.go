package transform

import (
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// TestRecycled: a constant that no operator reads any more goes from the end of the list, unless something else refers to it by its
// index.
func TestRecycled(t *testing.T) {
	for name, c := range map[string]struct {
		change func(d *draft, x, shape int)
		left   int
	}{
		"nothing else": {func(*draft, int, int) {}, 3},
		"an input of a signature": {func(d *draft, x, shape int) {
			d.model.Signatures = []encode.Signature{{Key: "s", Inputs: map[string]int{"x": x, "shape": shape}}}
		}, 4},
		"compressed tensors": {func(d *draft, _, _ int) {
			d.model.Buffers = append(d.model.Buffers, encode.Buffer{Data: make([]byte, 64)})
			d.model.Metadata = []encode.Metadata{{Name: "COMPRESSION_METADATA", Buffer: len(d.model.Buffers)}}
		}, 4},
	} {
		d := newDraft(1, 1)
		x := d.input(f32, 1, 8)
		y, z := d.like(x, 1, 8), d.like(x, 1, 8)
		shape := d.integers([]int32{1, 8})
		d.operator(schema.BuiltinOperatorRESHAPE, schema.BuiltinOptionsNONE, nil, y, x, shape)
		d.operator(schema.BuiltinOperatorRELU, schema.BuiltinOptionsNONE, nil, z, y)
		c.change(d, x, shape)
		m := d.parse(t, z)
		got := forced(t, m, &reshapeToSame)
		if n := len(got.Subgraphs[0].Tensors); n != c.left {
			t.Errorf("%s: %d tensors of %d are left, want %d", name, n, len(m.Subgraphs[0].Tensors), c.left)
		}
	}
}

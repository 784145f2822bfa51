package transform

import (
	"errors"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/mutate"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
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

// TestExternalConstants: a constant outside the flatbuffer gets no data inside, which LiteRT refuses beside it.
func TestExternalConstants(t *testing.T) {
	external := encode.Tensor{Type: i32, Shape: []int32{2}, External: 1}
	m := encode.Model{External: []encode.ExternalBuffer{{Group: "g", Length: 8}}, Subgraphs: []encode.Subgraph{{Tensors: []encode.Tensor{external}}}}
	parsed, err := tflite.Parse(encode.Encode(m), "external")
	if err != nil {
		t.Fatal(err)
	}
	if holdsIntegers(&parsed.Subgraphs[0].Tensors[0]) {
		t.Error("it takes integers")
	}
}

// TestHostileStreams: mutated models are changed or refused, and no rule makes an edit that is wrong.
func TestHostileStreams(t *testing.T) {
	found := 0
	for i := range uint64(1500) {
		d := newDraft(77, i)
		tree, err := mutate.Read(d.parse(t, joinedRows(d)).Data)
		if err != nil {
			t.Fatal(err)
		}
		recipe := make([]byte, 1+d.IntN(12))
		for k := range recipe {
			recipe[k] = byte(d.Uint32())
		}
		tree.Mutate(recipe)
		m, err := tflite.Parse(tree.Encode(), "hostile")
		if err != nil {
			continue
		}
		for _, list := range [][]*Rule{{&reshapeBeforeConcatenation}, table} {
			matches := find(m, reference(t), list, anywhere)
			if len(matches) == 0 {
				continue
			}
			found++
			_, _, err = apply(m, matches, nil, rewrite.Options{Force: true})
			if refused := (*rewrite.RefusedError)(nil); err != nil && !errors.As(err, &refused) {
				t.Errorf("model %d, %d rules: %v", i, len(list), err)
			}
		}
	}
	if found < 500 {
		t.Errorf("rules match %d models", found)
	}
}

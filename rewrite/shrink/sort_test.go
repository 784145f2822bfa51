package shrink

import (
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// shortcut returns a residual block whose input may be overwritten, if both operators that read it run before the second
// operator of a branch.
func shortcut(t *testing.T) *tflite.Model {
	t.Helper()
	pool := func(in, out int, stride, window int32) encode.Operator {
		return encode.Operator{
			Builtin: schema.BuiltinOperatorMAX_POOL_2D, Inputs: []int{in}, Outputs: []int{out}, OptionsType: schema.BuiltinOptionsPool2DOptions,
			Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
				schema.Pool2DOptionsStart(b)
				schema.Pool2DOptionsAddStrideH(b, stride)
				schema.Pool2DOptionsAddStrideW(b, stride)
				schema.Pool2DOptionsAddFilterHeight(b, window)
				schema.Pool2DOptionsAddFilterWidth(b, window)
				return schema.Pool2DOptionsEnd(b)
			},
		}
	}
	image := func(size int32) encode.Tensor { return encode.Tensor{Name: "x", Shape: []int32{1, size, size, 8}} }
	return modelfile.Build(t, encode.Model{Subgraphs: []encode.Subgraph{{
		Tensors: []encode.Tensor{image(32), image(16), image(16), image(16), image(16)}, Inputs: []int{0}, Outputs: []int{4},
		Operators: []encode.Operator{
			pool(0, 1, 2, 2), pool(1, 2, 1, 3), pool(0, 3, 2, 2),
			{Builtin: schema.BuiltinOperatorADD, Inputs: []int{2, 3}, Outputs: []int{4}},
		},
	}}})
}

// TestUntiledOrders: a model that is not tiled is put in the best order for its in-place outputs, and its operators are in that
// order.
func TestUntiledOrders(t *testing.T) {
	g := goal()
	g.Alias = rules.DiagonalAlias
	s, err := newSearch(t.Context(), shortcut(t), &g)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.untiled(t.Context(), g.Alias.UpTo()); err != nil {
		t.Fatal(err)
	}
	best := s.bestAt(&g, rules.DiagonalAlias)
	if err := s.make(best); err != nil {
		t.Fatal(err)
	}
	var outputs []int
	for i := range best.model.Subgraphs[0].Operators {
		outputs = append(outputs, best.model.Subgraphs[0].Operators[i].Outputs[0])
	}
	const image, half = 32 * 32 * 8 * 4, 16 * 16 * 8 * 4
	if best.best.Head != image+half || best.best.Moved == 0 || outputs[2] != 2 {
		t.Errorf("head %d, %d operators moved, outputs %v", best.best.Head, best.best.Moved, outputs)
	}
}

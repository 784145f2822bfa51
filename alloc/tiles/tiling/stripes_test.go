package tiling_test

import (
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestGivenRows: stripes of the rows that are given are taken where they fit, even where stripes of
// fewer rows do not. Four rows of an enlarged picture are made of one row, three of them of two.
func TestGivenRows(t *testing.T) {
	file := encode.Encode(encode.Model{
		Buffers: []encode.Buffer{{Data: []byte{24, 0, 0, 0, 8, 0, 0, 0}}},
		Subgraphs: []encode.Subgraph{{
			Tensors: []encode.Tensor{
				{Name: "in", Type: schema.TensorTypeFLOAT32, Shape: []int32{1, 6, 64, 8}},
				{Name: "between", Type: schema.TensorTypeFLOAT32, Shape: []int32{1, 6, 64, 8}},
				{Name: "size", Type: schema.TensorTypeINT32, Shape: []int32{2}, Buffer: 1},
				{Name: "out", Type: schema.TensorTypeFLOAT32, Shape: []int32{1, 24, 8, 8}},
			},
			Inputs: []int{0}, Outputs: []int{3},
			Operators: []encode.Operator{
				{Builtin: schema.BuiltinOperatorRELU, Inputs: []int{0}, Outputs: []int{1}},
				{
					Builtin: schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR, Inputs: []int{1, 2}, Outputs: []int{3},
					OptionsType: schema.BuiltinOptionsResizeNearestNeighborOptions,
					Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
						schema.ResizeNearestNeighborOptionsStart(b)
						return schema.ResizeNearestNeighborOptionsEnd(b)
					},
				},
			},
		}},
	})
	m, err := tflite.Parse(file, "enlarged")
	if err != nil {
		t.Fatal(err)
	}
	const row = 64 * 8 * 4
	const want = row + row + 4*row/8 + 8 // a row in, the row between, four rows out, and their size
	g := &tiling.Given{Cascades: []tiling.GivenCascade{{First: 0, Last: 1, Rows: 4}}}
	s, err := tiling.New(t.Context(), m, 0, tiling.Options{OnChip: want, Given: g})
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Runs[0]; r.Extent != 4 || r.OnChip != want || r.Kept != row || r.LastStep != 6 {
		t.Errorf("%+v, want stripes of 4 rows with %d bytes on chip", r, want)
	}
	if _, err := tiling.New(t.Context(), m, 0, tiling.Options{OnChip: want - 1, Given: g}); err == nil {
		t.Error("a byte less is enough")
	}
}

// TestReadTwice: two identical reads of an operator in a cascade count once on chip.
func TestReadTwice(t *testing.T) {
	tensor := func(name string) encode.Tensor {
		return encode.Tensor{Name: name, Type: schema.TensorTypeINT8, Shape: []int32{1, 6, 5, 1}}
	}
	m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{{
		Tensors: []encode.Tensor{tensor("in"), tensor("twice"), tensor("out")}, Inputs: []int{0}, Outputs: []int{2},
		Operators: []encode.Operator{
			{Builtin: schema.BuiltinOperatorADD, Inputs: []int{0, 0}, Outputs: []int{1}},
			{Builtin: schema.BuiltinOperatorRELU, Inputs: []int{1}, Outputs: []int{2}},
		},
	}}}), "twice")
	if err != nil {
		t.Fatal(err)
	}
	g := &tiling.Given{Cascades: []tiling.GivenCascade{{First: 0, Last: 1, Rows: 1}}}
	s, err := tiling.New(t.Context(), m, 0, tiling.Options{OnChip: 100, Given: g})
	if err != nil || s.Runs[0].OnChip != 3*5 {
		t.Errorf("%+v (%v), want a row of each tensor on chip", s, err)
	}
}

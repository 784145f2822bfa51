package split_test

import (
	"runtime"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// tall is three convolutions of pictures with many rows, and few columns, or the other way
// round.
func tall(t *testing.T, rows, columns int32) *tflite.Model {
	t.Helper()
	filter := encode.Tensor{Name: "filter", Shape: []int32{1, 3, 3, 1}, Buffer: 1}
	s := encode.Subgraph{Inputs: []int{0}, Outputs: []int{3}}
	for range 4 {
		s.Tensors = append(s.Tensors, encode.Tensor{Name: "picture", Shape: []int32{1, rows, columns, 1}})
	}
	s.Tensors = append(s.Tensors, filter)
	for i := range 3 {
		op := convOperator(slide{padding: schema.PaddingSAME, strideH: 1, strideW: 1, dilateH: 1, dilateW: 1}, schema.ActivationFunctionTypeNONE)
		op.Inputs, op.Outputs = []int{i, 4}, []int{i + 1}
		s.Operators = append(s.Operators, op)
	}
	m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{s}, Buffers: []encode.Buffer{{Data: make([]byte, 36)}}}), "tall")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// allocated returns how many bytes a function allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestWorkDoesNotGrowWithRows: what a cut takes depends on how many pieces there are, and
// not on how many rows or columns the file says.
func TestWorkDoesNotGrowWithRows(t *testing.T) {
	const few, many = 1 << 10, 1 << 28
	for _, s := range []split.Stage{
		{Rows: 16, Columns: 1}, {Rows: 16, Columns: 1, Carry: true}, {Rows: 16, Columns: 1, Mode: split.Keep}, {Rows: 4, Columns: 4}, {Rows: 1, Columns: 16},
	} {
		s.Last = 2
		cost := func(rows, columns int32) uint64 {
			m := tall(t, rows, columns)
			return allocated(func() {
				if _, err := split.Cut(m, s, len(m.Subgraphs[0].Tensors)); err != nil {
					t.Fatalf("%+v: %v", s, err)
				}
			})
		}
		if low, high := cost(few, 16), cost(many, 16); high > 2*low {
			t.Errorf("%+v: %d B for %d rows and %d B for %d", s, low, few, high, many)
		}
		if low, high := cost(16, few), cost(16, many); high > 2*low {
			t.Errorf("%+v: %d B for %d columns and %d B for %d", s, low, few, high, many)
		}
	}
}

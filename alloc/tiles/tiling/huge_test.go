package tiling_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestHugeConstants: constants in another file may have any shape, and what several of them
// need on chip does not overflow.
func TestHugeConstants(t *testing.T) {
	const most = 1<<31 - 1
	huge := encode.Tensor{Name: "huge", Type: schema.TensorTypeINT8, Shape: []int32{most, most, 2}, External: 1}
	file := encode.Encode(encode.Model{
		External: []encode.ExternalBuffer{{Group: "weights", Length: 8}},
		Subgraphs: []encode.Subgraph{{
			Tensors: []encode.Tensor{{Name: "in", Shape: []int32{1, 8}}, huge, huge, {Name: "out", Shape: []int32{1, 8}}},
			Inputs:  []int{0}, Outputs: []int{3},
			Operators: []encode.Operator{{Custom: "any", Inputs: []int{0, 1, 2}, Outputs: []int{3}}},
		}},
	})
	m, err := tflite.Parse(file, "huge")
	if err != nil {
		t.Fatal(err)
	}
	var e *tiling.Error
	if s, err := tiling.New(t.Context(), m, 0, tiling.Options{OnChip: 1 << 20}); !errors.As(err, &e) || !strings.Contains(err.Error(), "one above") {
		t.Errorf("%+v, %v", s, err)
	}
}

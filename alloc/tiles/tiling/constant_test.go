package tiling_test

import (
	"errors"
	"testing"

	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestTexts: constant texts take on chip the bytes that they have in the file, and tensors of texts
// that are no constants have no size.
func TestTexts(t *testing.T) {
	data := []byte("\x02\x00\x00\x00\x10\x00\x00\x00\x13\x00\x00\x00\x18\x00\x00\x00yesmaybe")
	tensors := []encode.Tensor{
		{Name: "in", Type: schema.TensorTypeINT8, Shape: []int32{1, 8}},
		{Name: "texts", Type: schema.TensorTypeSTRING, Shape: []int32{2}, Buffer: 1},
		{Name: "out", Type: schema.TensorTypeINT8, Shape: []int32{1, 4}},
	}
	cut := func(onChip int64) (*tiling.Schedule, error) {
		m, err := tflite.Parse(encode.Encode(encode.Model{
			Buffers: []encode.Buffer{{Data: data}},
			Subgraphs: []encode.Subgraph{{
				Tensors: tensors, Inputs: []int{0}, Outputs: []int{2},
				Operators: []encode.Operator{{Custom: "any", Inputs: []int{0, 1}, Outputs: []int{2}}},
			}},
		}), "texts")
		if err != nil {
			t.Fatal(err)
		}
		return tiling.New(t.Context(), m, 0, tiling.Options{OnChip: onChip})
	}
	s, err := cut(8 + 24 + 4)
	if err != nil || s.Runs[0].OnChip != 8+24+4 || len(s.Tensors) != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	var small *tiling.SizeError
	if _, err := cut(8 + 24 + 3); !errors.As(err, &small) || small.Least != 8+24+4 {
		t.Errorf("with a byte less: %v", err)
	}
	tensors[1].Buffer = 0
	var bad *tiling.Error
	if _, err := cut(1 << 20); !errors.As(err, &bad) {
		t.Errorf("without data: %v", err)
	}
}

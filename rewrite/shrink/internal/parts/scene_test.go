package parts

import (
	"testing"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/schema"
)

// TestReadOfKept: an operator that stays as it is, such as the DEQUANTIZE of weights that
// a DENSIFY makes, lists no inputs of its own; it reads all of its input.
func TestReadOfKept(t *testing.T) {
	s := &scene{}
	if got, want := s.read(&edit.Operator{Kind: edit.Keep}, 0, 3, 64), (lifetime.Read{Position: 3, Hi: 64}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestPackedOfHugeTensors: what is too large for any number counts for more than all that is
// planned, and not for what is left of it in 64 bits.
func TestPackedOfHugeTensors(t *testing.T) {
	for _, shape := range [][]int32{
		{1, 1 << 30, 1 << 30, 16}, {1, 1<<30 + 12345, 1<<30 + 12345, 17}, {1 << 30, 1 << 30, 1 << 30, 1 << 30}, {1, 1 << 20, 1 << 20, 1 << 10},
	} {
		s := &scene{fragment: &split.Fragment{Tensors: []edit.Tensor{{Shape: shape, Like: -1, Type: schema.TensorTypeINT8}}}}
		if got := s.packed(0); got < 1<<40 || got > lifetime.MaxTotal/1024 {
			t.Errorf("%v: %d B", shape, got)
		}
	}
	s := &scene{fragment: &split.Fragment{Tensors: []edit.Tensor{{Shape: []int32{3, 5}, Like: -1, Type: schema.TensorTypeINT4}}}}
	if got := s.packed(0); got != 8 {
		t.Errorf("15 elements of 4 bits are %d B", got)
	}
}

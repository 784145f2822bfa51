package op_test

import (
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// perPicture are operators that treat the images of a batch alike.
var perPicture = []string{
	"CONV_2D", "DEPTHWISE_CONV_2D", "MAX_POOL_2D", "AVERAGE_POOL_2D", "ADD", "MUL", "RELU", "RELU6", "LOGISTIC", "HARD_SWISH", "PAD",
	"RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR", "MEAN", "SOFTMAX", "LEAKY_RELU", "PRELU", "DEQUANTIZE", "QUANTIZE", "DEPTH_TO_SPACE",
}

// TestShapesOfOtherInputs gives networks batches of three images, and derives the shapes,
// operator by operator, in a copy of the subgraph: all have three times as many rows, until an
// operator names the old shape.
func TestShapesOfOtherInputs(t *testing.T) {
	networks, operators := 0, 0
	everyModel(t, func(m *tflite.Model) {
		if len(m.Subgraphs) == 0 {
			return
		}
		s := m.Subgraphs[0]
		s.Tensors = slices.Clone(s.Tensors)
		if len(s.Inputs) == 0 || !s.Tensors[s.Inputs[0]].Input || !setBatch(&s.Tensors[s.Inputs[0]], 3) {
			return
		}
		networks++
		for i := range s.Operators {
			o := &s.Operators[i]
			if in := s.Operand(o.Inputs, 0); in == nil || len(in.Shape) == 0 || in.Shape[0] != 3 {
				continue // weights
			}
			shapes, err := op.Shapes(m, &s, o)
			if err != nil || !slices.Contains(perPicture, o.Name) {
				break
			}
			out := s.Operand(o.Outputs, 0)
			want := slices.Clone(out.Shape)
			if len(want) == 0 || want[0] != 1 {
				break
			}
			if want[0] = 3; !slices.Equal(shapes[0], want) {
				t.Errorf("%s %d:%d %s: %v, want %v", m.Name, s.Index, o.Index, o.Name, shapes[0], want)
			}
			out.Shape = shapes[0]
			operators++
		}
	})
	if t.Logf("%d operators of %d networks", operators, networks); operators < 500 {
		t.Errorf("%d operators of %d networks", operators, networks)
	}
}

// setBatch sets the batch size of a tensor; it returns false unless the old one is 1.
func setBatch(t *tflite.Tensor, n int32) bool {
	if len(t.Shape) != 4 || t.Shape[0] != 1 {
		return false
	}
	t.Shape = slices.Clone(t.Shape)
	t.Shape[0] = n
	return true
}

package models

import (
	"math"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestInt8HasTheSameGraph: an int8 network has the operators and shapes of the float one,
// except for DEQUANTIZE and QUANTIZE around operators without an integer kernel.
func TestInt8HasTheSameGraph(t *testing.T) {
	for _, n := range List() {
		if n.Group != Papers && n.Group != Tables {
			continue // by the same code
		}
		float := parse(t, build(t, n.Name, Options{}), n.Name).Subgraphs[0]
		integer := parse(t, build(t, n.Name+Int8, Options{}), n.Name).Subgraphs[0]
		var kept []tflite.Operator
		for _, o := range integer.Operators {
			if o.Name != "DEQUANTIZE" && o.Name != "QUANTIZE" {
				kept = append(kept, o)
			}
		}
		if len(kept) != len(float.Operators) {
			t.Errorf("%s: %d operators, and %d with integers", n.Name, len(float.Operators), len(kept))
			continue
		}
		for i, o := range kept {
			x, y := &integer.Tensors[o.Outputs[0]], &float.Tensors[float.Operators[i].Outputs[0]]
			if o.Name != float.Operators[i].Name || !slices.Equal(x.Shape, y.Shape) {
				t.Errorf("%s: operator %d is %s %v, and %s %v with integers", n.Name, i, float.Operators[i].Name, y.Shape, o.Name, x.Shape)
			}
		}
	}
}

// TestInt8Types checks each operator against the types and scales that kernels require.
func TestInt8Types(t *testing.T) {
	for _, n := range List() {
		m := parse(t, build(t, n.Name+Int8, Options{}), n.Name)
		s := &m.Subgraphs[0]
		for _, o := range s.Operators {
			for _, y := range o.Outputs {
				if kind := s.Tensors[y].Type; kind == schema.TensorTypeFLOAT32 && o.Name != "DEQUANTIZE" && o.Name != "LOCAL_RESPONSE_NORMALIZATION" {
					t.Errorf("%s: operator %d, %s, makes floats", n.Name, o.Index, o.Name)
				}
			}
			switch o.Name {
			case "CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED":
				checkProduct(t, n.Name, s, o)
			case "CONCATENATION", "RESHAPE", "MAX_POOL_2D", "AVERAGE_POOL_2D", "TRANSPOSE", "SQUEEZE", "PAD":
				if a, b := scales(s, o.Inputs[0]), scales(s, o.Outputs[0]); !slices.Equal(a, b) {
					t.Errorf("%s: operator %d, %s, turns the scales %v into %v", n.Name, o.Index, o.Name, a, b)
				}
			}
		}
	}
}

// checkProduct compares the scale of each bias with the product of the input and weight scales.
func checkProduct(t *testing.T, name string, s *tflite.Subgraph, o tflite.Operator) {
	t.Helper()
	weights := &s.Tensors[o.Inputs[1]]
	w, channels := scales(s, o.Inputs[1]), 1
	switch o.Name {
	case "CONV_2D":
		channels = int(weights.Shape[0])
	case "DEPTHWISE_CONV_2D":
		channels = int(weights.Shape[3])
	}
	if weights.Type != schema.TensorTypeINT8 || len(w) != channels {
		t.Errorf("%s: operator %d has weights of type %v with %d scales for %d channels", name, o.Index, weights.Type, len(w), channels)
	}
	if o.Inputs[2] < 0 {
		return
	}
	bias, b := &s.Tensors[o.Inputs[2]], scales(s, o.Inputs[2])
	if bias.Type != schema.TensorTypeINT32 || len(b) != channels {
		t.Fatalf("%s: operator %d has a bias of type %v with %d scales for %d channels", name, o.Index, bias.Type, len(b), channels)
	}
	x := scales(s, o.Inputs[0])
	for i := range b {
		if want := float64(x[0]) * float64(w[i]); math.Abs(float64(b[i])-want) > 1e-6*want {
			t.Errorf("%s: operator %d: the bias of channel %d has the scale %g, want %g", name, o.Index, i, b[i], want)
			return
		}
	}
}

func scales(s *tflite.Subgraph, tensor int) (list []float32) {
	table := s.Tensors[tensor].Table()
	q := table.Quantization(nil)
	if q == nil {
		return nil
	}
	for i := range q.ScaleLength() {
		list = append(list, q.Scale(i))
	}
	return list
}

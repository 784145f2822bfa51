package op_test

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

func network(t *testing.T, name string) *tflite.Model {
	t.Helper()
	data, err := models.Build(name, models.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := tflite.Parse(data, name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestWithShapes gives a network a larger image, and its own shapes.
func TestWithShapes(t *testing.T) {
	m := network(t, "deeplab-v3")
	before := m.Subgraphs[0]
	same, err := op.WithShapes(m, map[string][]int32{"0:0": before.Tensors[0].Shape})
	if err != nil {
		t.Fatal(err)
	}
	for i := range before.Tensors {
		if !slices.Equal(same.Subgraphs[0].Tensors[i].Shape, before.Tensors[i].Shape) {
			t.Errorf("tensor %d: %v, was %v", i, same.Subgraphs[0].Tensors[i].Shape, before.Tensors[i].Shape)
		}
	}
	shape := slices.Clone(before.Tensors[before.Inputs[0]].Shape)
	shape[0] = 2
	other, err := op.WithShapes(network(t, "blazeface"), map[string][]int32{"0:0": {2, 128, 128, 3}})
	if err != nil {
		if !strings.Contains(err.Error(), "RESHAPE") { // which names the old shape
			t.Fatal(err)
		}
	} else if got := other.Subgraphs[0].Tensors[0].Shape; !slices.Equal(got, []int32{2, 128, 128, 3}) {
		t.Error(got)
	}
}

func TestWithShapesErrors(t *testing.T) {
	m := network(t, "mobilenet-v1")
	for name, shape := range map[string][]int32{"nobody": {1}, "0:0": {1, 2}, m.Subgraphs[0].Tensors[m.Subgraphs[0].Inputs[0]].Name: {1, 0, 1, 1}} {
		var wrong *op.InputShapeError
		if _, err := op.WithShapes(m, map[string][]int32{name: shape}); !errors.As(err, &wrong) || wrong.Input != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := op.WithShapes(&tflite.Model{}, nil); err == nil {
		t.Error("a model without a subgraph")
	}
}

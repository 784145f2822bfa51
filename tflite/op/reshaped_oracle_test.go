package op_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// resizings give an input another shape, or nil if they do not apply.
var resizings = map[string]func(t *tflite.Tensor) []int32{
	"batch": func(t *tflite.Tensor) []int32 {
		if len(t.Shape) == 0 {
			return nil
		}
		shape := slices.Clone(t.Shape)
		shape[0] = 3 * max(shape[0], 1)
		return shape
	},
	"picture": func(t *tflite.Tensor) []int32 {
		if len(t.Shape) != 4 || t.Shape[1] < 8 {
			return nil
		}
		shape := slices.Clone(t.Shape)
		shape[1], shape[2] = shape[1]+16, shape[2]+32
		return shape
	},
	"line": func(t *tflite.Tensor) []int32 {
		if len(t.Shape) < 2 {
			return nil
		}
		shape := slices.Clone(t.Shape)
		shape[1]++
		return shape
	},
	"half": func(t *tflite.Tensor) []int32 {
		if len(t.Shape) != 4 || t.Shape[1] < 64 {
			return nil
		}
		shape := slices.Clone(t.Shape)
		shape[1], shape[2] = (shape[1]+1)/2, (shape[2]+1)/2
		return shape
	},
	"last": func(t *tflite.Tensor) []int32 {
		if len(t.Shape) == 0 {
			return nil
		}
		shape := slices.Clone(t.Shape)
		shape[len(shape)-1] *= 2
		return shape
	},
	"same": func(t *tflite.Tensor) []int32 { return slices.Clone(t.Shape) },
	"open": func(t *tflite.Tensor) []int32 {
		if !t.Dynamic() {
			return nil
		}
		shape := slices.Clone(t.Signature)
		for i, d := range shape {
			if d < 0 {
				shape[i] = 7
			}
		}
		return shape
	},
}

// unanswerable returns the reason why an error of WithShapes is correct although LiteRT resizes
// the model, or "".
func unanswerable(s *tflite.Subgraph, err error, want [][]int32, dynamic []int) string {
	var subgraph, operator int
	if _, scan := fmt.Sscanf(err.Error(), "the shapes that operator %d:%d", &subgraph, &operator); scan != nil {
		return ""
	}
	if subgraph > 0 && len(dynamic) > 0 {
		return "has no shapes for what calls it before a run"
	}
	for _, k := range s.Operators[operator].Outputs {
		if k >= 0 && slices.Contains(dynamic, k) {
			return "has no shape for it before a run either"
		}
		if k < 0 || k >= len(want) {
			continue
		}
		if slices.Contains(want[k], 0) {
			return "makes a tensor of no elements"
		}
		if strings.Contains(err.Error(), "is not a constant") && slices.Equal(want[k], s.Tensors[k].Shape) {
			return "has the shape of the file until a run, as it has memory from its input"
		}
	}
	if strings.Contains(err.Error(), "weights of the shape") {
		return "leaves values out that no weights are for"
	}
	return ""
}

// computes reports whether a model computes shapes. LiteRT keeps the shape in the file for a
// tensor that shares memory, even if a run gives it another one.
func computes(m *tflite.Model) bool {
	return slices.ContainsFunc(m.OperatorCodes, func(c tflite.OperatorCode) bool { return c.Builtin == schema.BuiltinOperatorSHAPE })
}

// TestWithShapesInLiteRT resizes the inputs of real models: all tensors have the shapes that
// LiteRT gives them at allocation. If there is no answer, LiteRT has none before a run, or
// computes something useless.
func TestWithShapesInLiteRT(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtimes take a while")
	}
	files := corpus.Accepted(t)
	runtimes := oracle.Start(t)
	models, tensors := 0, 0
	refused := map[string]int{}
	for _, f := range files {
		data, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := tflite.Parse(data, f.Name)
		if err != nil || len(m.Subgraphs) == 0 {
			continue
		}
		for how, resize := range resizings {
			inputs, list := map[string][]int32{}, [][]int32{}
			s := &m.Subgraphs[0]
			for _, k := range s.Inputs {
				shape := []int32(nil)
				if k >= 0 {
					shape = resize(&s.Tensors[k])
				}
				if shape == nil {
					break
				}
				inputs[m.TensorID(0, k)] = shape
				list = append(list, shape)
			}
			if len(list) == 0 || len(list) != len(s.Inputs) {
				continue
			}
			want, dynamic, ok := runtimes.Resized(t, f.Path, list, 0)
			if !ok {
				continue // LiteRT rejects it
			}
			got, err := op.WithShapes(m, inputs)
			if err != nil {
				if why := unanswerable(s, err, want, dynamic); why != "" {
					refused[fmt.Sprintf("%s, %s: %v; LiteRT %s", f.Name, how, err, why)]++
				} else {
					t.Errorf("%s, %s: LiteRT has an answer: %v", f.Name, how, err)
				}
				continue
			}
			if len(dynamic) > 0 || computes(m) {
				if ran, _, ok := runtimes.Resized(t, f.Path, list, 1); ok {
					want, dynamic = ran, nil // shapes that depend on values are known after a run
				}
			}
			models++
			for _, o := range s.Operators {
				for _, k := range o.Outputs {
					if k < 0 || k >= len(want) || want[k] == nil || slices.Contains(dynamic, k) {
						continue
					}
					if t := &got.Subgraphs[0].Tensors[k]; len(t.Shape) == 0 && !t.HasRank && o.Name == "TFLite_Detection_PostProcess" {
						continue // not in the file; its own options determine the number of boxes
					}
					if tensors++; !slices.Equal(got.Subgraphs[0].Tensors[k].Shape, want[k]) {
						t.Errorf("%s, %s: tensor %d, made by %s %d, has the shape %v, LiteRT has %v", f.Name, how, k, o.Name, o.Index, got.Subgraphs[0].Tensors[k].Shape, want[k])
					}
				}
			}
		}
	}
	for text := range refused {
		t.Logf("no answer: %s", text)
	}
	if t.Logf("%d tensors of %d resized models, %d without an answer", tensors, models, len(refused)); models < 250 {
		t.Errorf("only %d models", models)
	}
}

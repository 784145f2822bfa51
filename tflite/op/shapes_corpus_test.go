package op_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// everyModel calls check for each readable model of the shared data, for models of one operator
// each, and for those that this project builds.
func everyModel(t *testing.T, check func(*tflite.Model)) {
	t.Helper()
	var files []string
	for _, f := range corpus.Accepted(t) {
		files = append(files, f.Path)
	}
	single, _ := filepath.Glob(filepath.Join(corpus.Dir(t), "prepare", "ops", "*.tflite"))
	for _, path := range append(files, single...) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		parsed(t, data, filepath.Base(path), check)
	}
	for _, network := range models.List() {
		data, err := models.Build(network.Name, models.Options{})
		if err != nil {
			t.Fatal(err)
		}
		parsed(t, data, network.Name, check)
	}
}

func parsed(t *testing.T, data []byte, name string, check func(*tflite.Model)) {
	t.Helper()
	m, err := tflite.Parse(data, name)
	if err != nil {
		t.Fatal(err)
	}
	check(m)
}

// everyOperator calls check for each operator of a model.
func everyOperator(m *tflite.Model, check func(*tflite.Subgraph, *tflite.Operator)) {
	for i := range m.Subgraphs {
		s := &m.Subgraphs[i]
		for j := range s.Operators {
			check(s, &s.Operators[j])
		}
	}
}

// contradicting are operators whose output shapes contradict their files: hand-written tests,
// and a graph whose shapes are known only at run time, without a signature.
var contradicting = map[string]bool{
	"svdf_quantized.bin 0:0 SVDF":                                  true, // 12 filters of rank 2 and 4 units
	"BATCH_MATMUL.outrank.tflite 0:0 BATCH_MATMUL":                 true,
	"whitespace_tokenizer_flex_delegate.tflite 0:26 STRIDED_SLICE": true,
	"whitespace_tokenizer_flex_delegate.tflite 0:27 STRIDED_SLICE": true,
	"whitespace_tokenizer_flex_delegate.tflite 0:62 CONCATENATION": true,
}

// TestShapesOfRealModels compares derived shapes with those in the files, which the converters
// derived independently.
func TestShapesOfRealModels(t *testing.T) {
	all, answered, kinds := 0, map[string]int{}, 0
	everyModel(t, func(m *tflite.Model) {
		everyOperator(m, func(s *tflite.Subgraph, o *tflite.Operator) {
			all++
			shapes, err := op.Shapes(m, s, o)
			if err != nil {
				return
			}
			name := fmt.Sprintf("%s %d:%d %s", m.Name, s.Index, o.Index, o.Name)
			for i, shape := range shapes {
				if out := s.Operand(o.Outputs, i); out != nil && !agree(shape, out) && !contradicting[name] {
					t.Errorf("%s: output %d has the shape %v, derived %v", name, i, out.Shape, shape)
				}
			}
			answered[o.Name]++
		})
	})
	total := 0
	for _, n := range answered {
		total, kinds = total+n, kinds+1
	}
	t.Logf("%d of %d operators answered, of %d kinds: %v", total, all, kinds, answered)
	// A lower bound on coverage: 402 had no answer when the test was written, 140 of them
	// custom operators or operators on resources.
	if total*100 < all*96 || kinds < 100 {
		t.Errorf("%d of %d operators answered, of %d kinds", total, all, kinds)
	}
}

// agree reports whether a derived shape matches the file: if the signature has unknown
// dimensions, these may differ.
func agree(shape []int32, t *tflite.Tensor) bool {
	if t.Dynamic() || len(t.Shape) == 0 && !t.HasRank {
		return true
	}
	return slices.Equal(shape, t.Shape)
}

// TestParametersAreConstants: parameters are constants in nearly all real files, and not
// weights.
func TestParametersAreConstants(t *testing.T) {
	constant, computed := 0, 0
	everyModel(t, func(m *tflite.Model) {
		everyOperator(m, func(s *tflite.Subgraph, o *tflite.Operator) {
			for _, position := range op.Parameters(m, o) {
				in := s.Operand(o.Inputs, position)
				switch {
				case in == nil:
				case in.Constant:
					constant++
					if _, ok := op.Ints(m, in); !ok {
						t.Errorf("%s %d:%d %s: parameter %d is %v%v", m.Name, s.Index, o.Index, o.Name, position, in.Type, in.Shape)
					}
				default:
					computed++
				}
			}
		})
	})
	if t.Logf("%d parameters are constants, %d are computed", constant, computed); constant < 20*computed {
		t.Errorf("%d parameters are constants, %d are computed", constant, computed)
	}
}

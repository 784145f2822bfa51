package slim_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/mutate"
	"github.com/tflarena/tflarena/internal/testkit/oneop"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// TestLaws checks the laws on random models: of one operator, with random operands, with states
// and calls, and from networks with damage.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var data []byte
		switch rapid.IntRange(0, 3).Draw(t, "source") {
		case 0:
			data = oneop.Draw(rapid.Uint64().Draw(t, "seed"), 0).Model
		case 1:
			data = sample.DrawReordered(t)
		case 2:
			data = sample.DrawStateful(t)
		case 3:
			var err error
			if data, err = mutate.Hostile(rapid.Bool().Draw(t, "floats"), rapid.Byte().Draw(t, "from"), rapid.SliceOf(rapid.Byte()).Draw(t, "recipe")); err != nil {
				t.Skip(err)
			}
		}
		if m, err := tflite.Parse(data, "test"); err == nil {
			check(t, m, rewrite.Options{Force: rapid.Bool().Draw(t, "force")})
		}
	})
}

// TestNames: the file of a model has the same size with and without names inside.
func TestNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sample.DrawSubgraph(t)
		bare := s
		bare.Name = ""
		bare.Tensors = append([]encode.Tensor{}, s.Tensors...)
		inside := map[int]bool{}
		for i := range bare.Tensors {
			inside[i] = true
		}
		for _, i := range append(append([]int{}, s.Inputs...), s.Outputs...) {
			inside[i] = false
		}
		for i := range s.Tensors {
			if inside[i] {
				bare.Tensors[i].Name = ""
			}
		}
		long, _ := slimmed(t, modelfile.Build(t, encode.Model{Description: "long", Subgraphs: []encode.Subgraph{s}}))
		short, _ := slimmed(t, modelfile.Build(t, encode.Model{Subgraphs: []encode.Subgraph{bare}}))
		if long.After != short.After {
			t.Fatalf("%d B with names, %d B without", long.After, short.After)
		}
	})
}

package split_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// TestRuntimesTransformers tiles real transformers by tokens, heads or both, all over at once: the
// outputs are the same, bit by bit.
func TestRuntimesTransformers(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtimes take a while")
	}
	runtimes := oracle.Start(t)
	common := []string{"FULLY_CONNECTED", "MEAN", "RESHAPE", "SOFTMAX"}
	for name, tiled := range map[string][]string{
		"nets/kwt1_non_stream":      append(common, "TANH", "POW"),
		"nets/torchaudio_conformer": append(common, "BATCH_MATMUL", "TRANSPOSE"),
	} {
		m := open(t, name)
		request := oracle.Request{
			Runtime: "litert", Model: sample.Written(t, m.Data), Seed: 1, Invokes: 2,
			Inputs: len(m.Subgraphs[0].Inputs), Outputs: len(m.Subgraphs[0].Outputs),
		}
		want := runtimes.Run(t, request)
		if want.Error != "" {
			t.Fatalf("%s: %s", name, want.Error)
		}
		kinds := map[string]int{}
		for seed := range uint64(4) {
			stages := stagesAllOver(rand.New(rand.NewPCG(seed, 5)), m)
			data, err := cutAll(m, stages)
			if err != nil {
				t.Fatalf("%s, seed %d: %v", name, seed, err)
			}
			for _, s := range stages {
				for _, o := range m.Subgraphs[0].Operators[s.First : s.Last+1] {
					kinds[o.Name]++
				}
			}
			request.Model = sample.Written(t, data)
			got := runtimes.Run(t, request)
			if diff := cmp.Diff(want.Outputs, got.Outputs); diff != "" || got.Error != "" {
				t.Errorf("%s, seed %d: %s outputs differ (-before +after):\n%s\n%+v", name, seed, got.Error, diff, stages)
			}
		}
		t.Logf("%s: %s", name, listed(kinds))
		for _, kind := range tiled {
			if kinds[kind] == 0 {
				t.Errorf("%s: no %s was tiled", name, kind)
			}
		}
	}
}

// stagesAllOver draws stages one after another through a model, which may have several inputs each.
func stagesAllOver(r *rand.Rand, m *tflite.Model) (list []split.Stage) {
	const longest = 24
	sub := &m.Subgraphs[0]
	for i := 0; i < len(sub.Operators); i++ {
		if r.IntN(4) == 0 {
			continue
		}
		for last := min(i+r.IntN(longest), len(sub.Operators)-1); last >= i; last-- {
			s := split.Stage{First: i, Last: last, Rows: 1, Columns: 1}
			if _, err := split.Cut(m, s, len(sub.Tensors)); err != nil {
				continue
			}
			run := split.Run{First: i, Last: last, Height: 1, Width: 1}
			shape := sub.Tensors[sub.Operators[last].Outputs[0]].Shape
			y, x := rowsAndColumns(shape)
			run.Height = int(shape[y])
			if x >= 0 {
				run.Width = int(shape[x])
			}
			list, i = append(list, drawStage(r, run)), last
			break
		}
	}
	return list
}

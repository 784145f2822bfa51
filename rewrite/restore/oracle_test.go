package restore_test

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/restore"
)

// TestRuntimes: restored models have the outputs of the original in both runtimes, bit by bit, and its
// arena in TensorFlow Lite Micro.
func TestRuntimes(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtimes take a while")
	}
	runtimes := oracle.Start(t)
	ran := 0
	r := rand.New(rand.NewPCG(3, 0))
	for _, name := range []string{"micro/person_detect", "micro/vww_96_int8", "micro/pretrainedResnet_quant", "micro/ds_cnn_s_quantized", "micro/kws_ref_model", "micro/pretrainedResnet", "nets/torchaudio_conformer"} {
		m := sample.OpenFile(t, filepath.Join(corpus.Dir(t), "models", filepath.FromSlash(name)+".tflite"))
		cut, _, stages := tiled(t, m, r)
		restored, err := restore.Model(cut, rewrite.Options{})
		if err != nil {
			t.Fatalf("%s %+v: %v", name, stages, err)
		}
		for _, runtime := range []string{"tflm", "litert"} {
			request := oracle.Request{
				Runtime: runtime, Arena: 1 << 24, Seed: 1, Invokes: 2, Inputs: len(m.Subgraphs[0].Inputs), Outputs: len(m.Subgraphs[0].Outputs),
				Model: sample.Written(t, m.Data),
			}
			want := runtimes.Run(t, request)
			request.Model = sample.Written(t, restored.Data)
			if diff := cmp.Diff(want, runtimes.Run(t, request)); diff != "" {
				t.Errorf("%s %+v in %s: (-original +restored)\n%s", name, stages, runtime, diff)
			}
			if want.Error == "" {
				ran++
			}
		}
	}
	if ran < 10 {
		t.Errorf("only %d runs", ran)
	}
}

package models

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/oracle"
)

// TestRuntimesAgree runs the irregular networks in both runtimes, which must compute
// the same, and another result from another input: no activation dies or saturates on
// the way.
func TestRuntimesAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: the real runtimes take some seconds")
	}
	oracle.Require(t)
	runtimes := oracle.Start(t)
	for _, n := range List(Irregular) {
		path := filepath.Join(t.TempDir(), n.Name+".tflite")
		if err := os.WriteFile(path, build(t, n.Name, Options{Weights: Random}), 0o600); err != nil {
			t.Fatal(err)
		}
		run := func(runtime string, seed int64) [][]string {
			a := runtimes.Run(t, oracle.Request{
				Runtime: runtime, Model: path, Arena: 16 << 20, Inputs: 1, Outputs: 1, Seed: seed, Invokes: 1,
			})
			if a.Error != "" {
				t.Errorf("%s in %s: %s", n.Name, runtime, a.Error)
			}
			return a.Outputs
		}
		micro := run("tflm", 1)
		if diff := cmp.Diff(micro, run("litert", 1)); diff != "" {
			t.Errorf("%s: the runtimes differ: %s", n.Name, diff)
		}
		if cmp.Equal(micro, run("litert", 2)) {
			t.Errorf("%s computes the same from two inputs", n.Name)
		}
	}
}

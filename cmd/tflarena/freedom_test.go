package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// More sharing never makes the plan of a strategy larger: each --alias includes the lower ones. And no
// proof of a lower one's plan is refuted.
func TestMoreFreedom(t *testing.T) {
	models, takers := map[string][]byte{}, uint64(16)
	if *golden.Audit {
		takers = 40
	}
	for seed := range takers {
		models[fmt.Sprintf("taker %d", seed)] = encode.Encode(taker(seed))
	}
	for _, name := range []string{"exact", "greedy-by-size", "tflm-greedy"} {
		smaller := 0
		for title, data := range models {
			smaller += compareFreedom(t, title, name, data)
		}
		if smaller < int(takers)/5 {
			t.Errorf("%s: takeovers make %d plans smaller", name, smaller)
		}
	}
}

// The same of the models of the corpus that a lesser freedom was better for.
func TestMoreFreedomOfModels(t *testing.T) {
	dir := corpus.Dir(t)
	for _, name := range []string{"nets/kwt1_non_stream", "micro/okay_nabu_v2", "micro/audio_preprocessor_int8", "corner/duplicated_tensor_names"} {
		data, err := os.ReadFile(filepath.Join(dir, "models", name+".tflite"))
		if err != nil {
			t.Fatal(err)
		}
		compareFreedom(t, name, "greedy-by-size", data)
	}
}

// compareFreedom reports plans that get larger, and returns how many get smaller.
func compareFreedom(t *testing.T, title, strategy string, data []byte) (smaller int) {
	t.Helper()
	best := int64(math.MaxInt64)
	for _, alias := range rules.Aliases() {
		flags := []string{"plan", "-", "-q", "--json", "--alias", string(alias)}
		got := execute(noTerminal(), data, append(flags, "-s", strategy)...)
		var r results.Plan
		if err := readOnly([]byte(got.stdout), &r); err != nil {
			t.Fatalf("%s --alias %s: exit %d: %s", title, alias, got.code, got.stderr)
		}
		if r.TotalBytes > best || r.LowerBoundBytes > best {
			t.Errorf("%s --alias %s, %s: %d bytes, bound %d; %d with less freedom", title, alias, strategy, r.TotalBytes, r.LowerBoundBytes, best)
		}
		if alias != rules.NoAlias && r.TotalBytes < best {
			smaller++
		}
		best = min(best, r.TotalBytes)
		if got := execute(noTerminal(), data, append(flags, "--capacity", fmt.Sprint(best))...); got.code == exitCheck {
			t.Errorf("%s --alias %s: cannot fit %d bytes, in which a plan with less freedom fits", title, alias, best)
		}
	}
	return smaller
}

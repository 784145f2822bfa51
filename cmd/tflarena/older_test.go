package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
)

// TestOlderRuntime: where an older TensorFlow Lite Micro does not see control flow, check and analyze have
// its figures as well, and rewrite makes a file that both see alike.
func TestOlderRuntime(t *testing.T) {
	const (
		newest = `"required_bytes": 22176`
		older  = `"required_bytes": 51184`
		day    = "required arena 51,184 B (49.98 KiB) before 2026-09-08 (tflite-micro #3698)"
	)
	model := corpus.Model(t, "dtln_model_1.tflite").Path
	for _, kernels := range []string{"reference", "esp-nn-s3"} {
		filled := filepath.Join(t.TempDir(), "filled.tflite")
		got := execute(noTerminal(), nil, "rewrite", model, "--kernels", kernels, "--allow-faults", "-o", filled, "--json")
		if got.code != 0 || !strings.Contains(got.stdout, `"action": "codes_filled"`) {
			t.Fatalf("rewrite with %s: exit %d: %s%s", kernels, got.code, got.stdout, got.stderr)
		}
		for _, words := range [][]string{{"check"}, {"analyze"}} {
			words = append(words, "--kernels", kernels)
			for file, hides := range map[string]bool{model: true, filled: false} {
				found := execute(noTerminal(), nil, append(words, file, "--json")...).stdout
				if !strings.Contains(found, newest) || strings.Contains(found, older) != hides {
					t.Errorf("%q of %s: %s", words, file, found)
				}
				if text := execute(noTerminal(), nil, append(words, file)...).stdout; strings.Contains(text, day) != hides {
					t.Errorf("%q of %s: %s", words, file, text)
				}
			}
		}
		for limit, warns := range map[string]bool{"30K": true, "60K": false} {
			got := execute(noTerminal(), nil, "check", model, "--kernels", kernels, "--max-arena", limit)
			if strings.Contains(got.stderr, "older TensorFlow Lite Micro") != warns {
				t.Errorf("check --max-arena %s: exit %d: %s", limit, got.code, got.stderr)
			}
		}
	}
}

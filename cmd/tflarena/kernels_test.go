package main

import (
	"path/filepath"
	"strings"
	"testing"

	drawn "github.com/tflarena/tflarena/internal/network"
)

// TestKernelsStop: every command that shows a model says that the chosen kernels end its first run.
func TestKernelsStop(t *testing.T) {
	dir := t.TempDir()
	model := write(t, filepath.Join(dir, "svdf.tflite"), drawn.SVDF())
	for _, words := range [][]string{
		{"analyze"},
		{"check", "--max-arena", "1M"},
		{"plan"},
		{"rewrite", "-o", filepath.Join(dir, "out.tflite")},
		{"fit"},
		{"fit", "--least", "-o", filepath.Join(dir, "least.tflite")},
		{"diff", model},
		{"report", "-o", filepath.Join(dir, "page.html")},
	} {
		for kernels, stops := range map[string]bool{"cmsis-nn-dsp": false, "cmsis-nn-dsp-size": true} {
			got := execute(noTerminal(), nil, append(words, model, "--kernels", kernels)...)
			if said := got.stdout + got.stderr; strings.Contains(said, "looks for scratch") != stops {
				t.Errorf("%s with %s: exit %d, %s", words[0], kernels, got.code, said)
			}
		}
	}
}

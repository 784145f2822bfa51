package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	chips "github.com/tflarena/tflarena/internal/target"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	drawn "github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// TestKernelsStop: every command that shows a model reports that the chosen kernels crash in its first
// run.
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
			if said := got.stdout + got.stderr; strings.Contains(said, "refuses an INT8 state") != stops {
				t.Errorf("%s with %s: exit %d, %s", words[0], kernels, got.code, said)
			}
		}
	}
}

// TestKernelTable computes the first table of docs/kernels.md: the libraries, with the chips and cores that use them.
func TestKernelTable(t *testing.T) {
	users := map[string][]string{}
	for _, g := range chips.List() {
		library, _, _ := strings.Cut(g.Kernels, "@")
		if g.Chip != "" || strings.HasPrefix(g.Core, "Cortex-M") != (len(g.Regions) == 0) {
			continue // the chip of a board, and the core of a chip, or the reverse, stand for it
		}
		users[library] = append(users[library], "`"+g.Name+"`")
	}
	var b strings.Builder
	b.WriteString("\n| `--target` | `--kernels` | what it is | ABI | arena | releases |\n|---|---|---|---|--:|---|\n")
	for _, library := range rules.KernelLibraries() {
		d, err := rules.UsualDevice(library)
		if err != nil {
			t.Fatal(err)
		}
		got := execute(noTerminal(), nil, "check", "builtin:blazeface-int8", "--kernels", library, "--json")
		found := regexp.MustCompile(`"required_bytes": (\d+)`).FindStringSubmatch(got.stdout)
		if found == nil {
			t.Fatalf("%s: exit %d: %s", library, got.code, got.stderr)
		}
		arena, err := strconv.ParseInt(found[1], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		on := strings.Join(users[strings.TrimSuffix(library, "-size")], ", ")
		fmt.Fprintf(&b, "| %s | `%s` | %s | `%s` | %s | %s |\n", on, library, rules.KernelSummary(library), d.ABI.Name, units.Number(arena), strings.Join(rules.KernelReleases(library), ", "))
	}
	golden.Section(t, filepath.Join("..", "..", "docs", "kernels.md"), "libraries", b.String()+"\n")
}

// TestDeviceLogs compares with the logs of three devices that ran ESP-NN 1.2.1 or 1.2.2: the bytes of
// the head, and of the tail before the structs of inputs and outputs. Their firmware has its resource
// variables in an arena of their own.
func TestDeviceLogs(t *testing.T) {
	for model, want := range map[string][]string{
		"okay_nabu": {`"head_bytes": 19440`, `"tail_bytes": 14332`, `"name": "graph inputs and outputs",
          "size_bytes": 128`},
		"hey_jarvis": {`"head_bytes": 17840`},
		"vad":        {`"head_bytes": 17088`},
	} {
		for _, version := range []string{"1.2.1", "1.2.2"} {
			got := execute(noTerminal(), nil, "check", filepath.Join(corpus.Dir(t), "wakewords", model+".tflite"),
				"--kernels", "esp-nn-s3@"+version, "--resource-variables", "0", "--json")
			for _, text := range want {
				if !strings.Contains(got.stdout, text) {
					t.Errorf("%s with %s: exit %d, no %s in %s%s", model, version, got.code, text, got.stdout, got.stderr)
				}
			}
		}
	}
}

// TestMarkerWithoutRelease: a file of an early version, whose marker names no release, holds for the
// release that this version knew, and for no other.
func TestMarkerWithoutRelease(t *testing.T) {
	dir := t.TempDir()
	model := write(t, filepath.Join(dir, "m.tflite"), encode.Encode(convolutions(3, 64, 64, 4, 1)))
	out := filepath.Join(dir, "out.tflite")
	if got := execute(noTerminal(), nil, "rewrite", model, "--kernels", "esp-nn-ansi@1.2.3", "--alias", "diagonal", "-o", out); got.code != 0 {
		t.Fatal(got.stderr)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	early := bytes.Replace(data, []byte(`"esp-nn-ansi@1.2.3"}`), []byte(`"esp-nn-ansi"}      `), 1)
	if bytes.Equal(early, data) {
		t.Fatal("the marker names no release")
	}
	file := write(t, filepath.Join(dir, "early.tflite"), early)
	for _, words := range [][]string{
		{"verify", file},
		{"verify", file, "--kernels", "esp-nn-ansi@1.2.3"},
		{"check", file, "--kernels", "esp-nn-ansi@1.2.3", "--max-arena", "1M"},
	} {
		if got := execute(noTerminal(), nil, words...); got.code != 0 {
			t.Errorf("%q: exit %d: %s%s", words, got.code, got.stdout, got.stderr)
		}
	}
	for _, words := range [][]string{
		{"verify", file, "--kernels", "esp-nn-s3"},
		{"check", file, "--max-arena", "1M"},
	} {
		if got := execute(noTerminal(), nil, words...); got.code != 4 {
			t.Errorf("%q: exit %d, want 4: %s%s", words, got.code, got.stdout, got.stderr)
		}
	}
}

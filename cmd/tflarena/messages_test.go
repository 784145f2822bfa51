package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
)

// TestMessagesArePlain: the name of a file is no command to a terminal, whatever is said of it.
func TestMessagesArePlain(t *testing.T) {
	var b strings.Builder
	p := &program{stderr: &b, env: noTerminal()}
	p.interrupted("a\x1b[31m.tflite", "rest")
	if got := b.String(); strings.Contains(got, "\x1b") || !strings.HasSuffix(got, ".tflite: interrupted; rest\n") || p.code != exitInterrupted {
		t.Errorf("%q, exit code %d", got, p.code)
	}
}

// Messages are wrapped to the width of the terminal, between words, and are the same words as elsewhere.
func TestMessagesAreWrapped(t *testing.T) {
	dir := t.TempDir()
	models := []string{}
	for name, data := range small() {
		models = append(models, write(t, filepath.Join(dir, name+".tflite"), data))
	}
	longest := 0
	for _, line := range [][]string{{"check", models[0], "missing.tflite"}, {"analyze", "--time-limit", "1h", models[0], models[1], "--sort", "gain"}, append([]string{"check", "--max-arena", "64"}, models...)} {
		plain := execute(noTerminal(), nil, line...)
		for _, width := range []int{40, 60, 80, 120} {
			got := execute(allTerminals(width), nil, line...)
			wrapped := strings.TrimRight(got.stderr[strings.LastIndex(got.stderr, "\r")+1:], "\n")
			if strings.Contains(got.stderr, "\r") {
				continue // a line of progress is between messages
			}
			if g, w := strings.Fields(wrapped), strings.Fields(plain.stderr); strings.Join(g, " ") != strings.Join(w, " ") {
				t.Errorf("%v at %d: %q, not %q", line, width, g, w)
			}
			for _, l := range strings.Split(wrapped, "\n") {
				if n := text.StringWidth(l); n > width && strings.Contains(strings.TrimSpace(l), " ") {
					t.Errorf("%v at %d: %d wide: %s", line, width, n, l)
				}
				longest = max(longest, len(l))
			}
		}
	}
	if longest < 60 {
		t.Errorf("the longest line has %d characters", longest)
	}
}

// Of several models, each has one line of warnings at most, and one fault in a failed check; --details has all.
func TestOneWarningForEachModel(t *testing.T) {
	nets, err := filepath.Glob(filepath.Join(corpus.Dir(t), "models", "nets", "*quant*.tflite"))
	if err != nil || len(nets) < 3 {
		t.Fatalf("%q %v", nets, err)
	}
	for _, command := range []string{"check --max-arena 1M", "analyze"} {
		args := append(strings.Fields(command), nets...)
		brief, whole := execute(noTerminal(), nil, args...), execute(noTerminal(), nil, append(args, "--details")...)
		warned := map[string]int{}
		for _, line := range strings.Split(brief.stderr, "\n") {
			if _, rest, ok := strings.Cut(line, "warning: "); ok {
				warned[strings.SplitN(rest, ": ", 2)[0]]++
			}
		}
		for model, n := range warned {
			if n > 1 {
				t.Errorf("%s: %d warnings for %s", command, n, model)
			}
		}
		for _, section := range strings.Split(brief.stdout, "\n== ") {
			if n := strings.Count(strings.ToLower(section), "does not run: "); n > 1 {
				t.Errorf("%s: %d faults: %.40s", command, n, section)
			}
		}
		if len(warned) < 2 || strings.Count(whole.stderr, "warning: ") <= strings.Count(brief.stderr, "warning: ") {
			t.Errorf("%s: %d models with warnings, and no more lines with --details", command, len(warned))
		}
	}
}

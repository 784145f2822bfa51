package main

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// shortWriter takes so many bytes and no more.
type shortWriter struct{ room int }

func (b *shortWriter) Write(data []byte) (int, error) {
	if len(data) > b.room {
		n := b.room
		b.room = 0
		return n, errors.New("cable cut")
	}
	b.room -= len(data)
	return len(data), nil
}

// helpLines returns every command line that asks for help.
func helpLines(commands []*cli.Command, words ...string) (lines [][]string) {
	for _, c := range commands {
		line := append(words[:len(words):len(words)], c.Name)
		lines = append(lines, append(line, "--help"), append([]string{"help"}, line...))
		lines = append(lines, helpLines(c.Subcommands, line...)...)
	}
	return lines
}

// Whatever is printed and cannot be, in whole or in part, is a message and exit code 1.
func TestOutputThatFails(t *testing.T) {
	model := write(t, filepath.Join(t.TempDir(), "m.tflite"), small()["branch"])
	lines := helpLines((&program{env: noTerminal()}).app().Commands)
	if len(lines) < 2*13 {
		t.Fatalf("%d command lines", len(lines))
	}
	for _, line := range []string{
		"help", "--help", "-h", "--version", "-v", "version", "version --json", "man", "help exit-codes", "help files", "models list", "targets",
		"completion bash", "completion zsh", "completion fish", "completion powershell",
		"plan --str --generate-bash-completion", "models build --generate-bash-completion",
		"analyze " + model, "analyze --json " + model, "plan " + model, "plan -o svg=- " + model, "compare " + model, "verify " + model,
		"rewrite -o - " + model, "rewrite -o " + model + ".out " + model, "fit --least -o - " + model, "diff " + model + " " + model,
		"check --max-arena 1MiB " + model, "models build posenet --weights external -o -",
	} {
		lines = append(lines, strings.Fields(line))
	}
	for _, line := range lines {
		for _, room := range []int{0, 5} {
			var stderr bytes.Buffer
			code := run(context.Background(), append([]string{name}, line...), nil, &shortWriter{room}, &stderr, noTerminal())
			if code != exitFailure || !strings.HasSuffix(stderr.String(), "tflarena: standard output: cable cut\n") {
				t.Errorf("%v: exit %d: %s", line, code, stderr.String())
			}
		}
	}
}

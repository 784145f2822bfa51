package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
)

// silence is a standard input that nothing ever comes from.
type silence struct{ asked func() }

func (s silence) Read([]byte) (int, error) {
	s.asked()
	select {}
}

// The first interrupt ends the wait for standard input.
func TestInterruptedWhileReading(t *testing.T) {
	for _, args := range [][]string{{"analyze", "-"}, {"plan", "-"}, {"rewrite", "-", "-o", "x"}, {"verify", "-"}, {"compare", "-"}, {"check", "-", "--max-arena", "1"}} {
		ctx, cancel := context.WithCancel(context.Background())
		var stdout, stderr bytes.Buffer
		code := run(ctx, append([]string{name}, args...), silence{cancel}, &stdout, &stderr, noTerminal())
		if code != exitInterrupted || stdout.Len() > 0 || !strings.HasSuffix(stderr.String(), "interrupted\n") {
			t.Errorf("%v: exit %d: %s%s", args, code, stdout.String(), stderr.String())
		}
	}
}

// endless is a standard input that never ends; it counts what was read of it.
type endless struct {
	fill func([]byte)
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	e.fill(p)
	e.read += len(p)
	return len(p), nil
}

// Invalid inputs are rejected by their beginning, however long they are.
func TestEndlessInput(t *testing.T) {
	for what, fill := range map[string]func([]byte){
		"zeros":  func(p []byte) { clear(p) },
		"random": func(p []byte) { fillRandom(p) },
		"text":   func(p []byte) { copy(p, bytes.Repeat([]byte("yes, no\n"), len(p)/8+1)) },
	} {
		for _, command := range []string{"analyze", "plan", "compare", "verify"} {
			e := &endless{fill: fill}
			var stdout, stderr bytes.Buffer
			code := run(context.Background(), []string{name, command, "-"}, io.Reader(e), &stdout, &stderr, noTerminal())
			if code != exitInvalid || e.read > 1<<20 || !strings.Contains(stderr.String(), "this is not a TensorFlow Lite model") {
				t.Errorf("%s %s: exit %d after %d B: %s", command, what, code, e.read, stderr.String())
			}
		}
	}
}

func fillRandom(p []byte) {
	for i := range p {
		p[i] = byte(rand.Uint32())
	}
}

// A file that says it has 2 GiB, and none of a model or of a text, is refused at once;
// so is one with a name that only promises a text.
func TestSparseFile(t *testing.T) {
	dir := t.TempDir()
	model := write(t, filepath.Join(dir, "m.tflite"), small()["branch"])
	for file, args := range map[string][]string{
		"sparse.tflite": {"analyze"}, "sparse.csv": {"plan"}, "scratch": {"plan", model, "--scratch"}, "budgets": {"check", model, "--budget"},
	} {
		path := write(t, filepath.Join(dir, file), nil)
		if err := os.Truncate(path, 2<<30); err != nil {
			t.Skip("left out: no sparse files here: ", err)
		}
		if got := execute(noTerminal(), nil, append(args, path)...); got.code != exitInvalid || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: %+v", file, got)
		}
	}
}

// manyRows is a CSV problem.
func manyRows(n int) []byte {
	text := []byte("id,lower,upper,size\n")
	for i := range n {
		text = fmt.Appendf(text, "%d,0,1,1\n", i)
	}
	return text
}

// Long inputs that are what they should be pass.
func TestLongInput(t *testing.T) {
	text := manyRows(1 << 14)
	if got := execute(noTerminal(), text, "plan", "-", "--strategy", "naive"); got.code != exitOK {
		t.Errorf("text: %+v", got)
	}
	for _, data := range [][]byte{large(1 << 17), anonymous(large(1 << 17))} {
		if got := execute(noTerminal(), data, "analyze", "-"); got.code != exitOK {
			t.Errorf("model: %+v", got)
		}
	}
}

// anonymous takes the file identifier out of a model.
func anonymous(data []byte) []byte {
	copy(data[4:8], "\x00\x00\x00\x00")
	return data
}

// A long name takes no longer than a short one on a terminal, and is cut there.
func TestLongNames(t *testing.T) {
	m := encode.Model{Subgraphs: []encode.Subgraph{custom().Subgraphs[0]}}
	m.Subgraphs[0].Operators[0].Custom = strings.Repeat("o", 1<<20)
	for i := range m.Subgraphs[0].Tensors {
		m.Subgraphs[0].Tensors[i].Name = strings.Repeat("t", 1<<20)
	}
	for _, command := range []string{"analyze", "plan"} {
		got := execute(allTerminals(80), encode.Encode(m), command, "-")
		if got.code != exitOK || len(got.stdout) > 4<<10 {
			t.Errorf("%s: exit %d, %d B: %s", command, got.code, len(got.stdout), got.stderr)
		}
	}
}

// More records than the chosen strategy takes are a wrong command line: the file can be read, and other strategies plan it.
func TestTooManyRecords(t *testing.T) {
	text := manyRows(1 << 14)
	got := execute(noTerminal(), text, "plan", "-", "--approach", "shared", "--strategy", "min-cost-flow")
	if got.code != exitUsage || !strings.Contains(got.stderr, "16384") || got.stdout != "" {
		t.Errorf("%+v", got)
	}
}

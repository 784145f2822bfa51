package main

import (
	"context"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"
)

func TestTerminalRefusesPictures(t *testing.T) {
	model := write(t, filepath.Join(t.TempDir(), "m.tflite"), small()["branch"])
	for _, args := range [][]string{
		{"plan", model, "-o", "svg=-"}, {"models", "build", "blazeface", "-o", "-"}, {"rewrite", model, "-o", "-"},
	} {
		got := execute(allTerminals(80), nil, args...)
		if got.code != exitUsage || got.stdout != "" || !strings.Contains(got.stderr, "terminal") {
			t.Errorf("%v: %+v", args, got)
		}
	}
	if got := execute(allTerminals(80), nil, "plan", model, "-o", "json=-"); got.code != exitOK || got.stdout == "" {
		t.Errorf("%+v", got)
	}
}

func TestTerminalColoursAndWidth(t *testing.T) {
	model := write(t, filepath.Join(t.TempDir(), "m.tflite"), small()["chain"])
	got := execute(allTerminals(50), nil, "plan", model, "--top", "0")
	if !strings.Contains(got.stdout, "\x1b[") {
		t.Error("no colour on a terminal")
	}
	table := got.stdout[strings.Index(got.stdout, "placements"):]
	for _, line := range strings.Split(table, "\n")[1:] {
		if text.StringWidthWithoutEscSequences(line) > 60 {
			t.Errorf("%d wide: %q", text.StringWidthWithoutEscSequences(line), line)
		}
	}
	if strings.Contains(got.stderr, "\r") {
		t.Error("progress for what is done at once")
	}
}

// An interrupt ends the run with 130, and with the best plan if there is one.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	model := write(t, filepath.Join(t.TempDir(), "m.tflite"), small()["branch"])
	got := executeIn(ctx, noTerminal(), nil, "plan", model)
	if got.code != exitInterrupted || !strings.Contains(got.stderr, "interrupted") || got.stdout != "" {
		t.Errorf("%+v", got)
	}
}

// fuse is a context that is interrupted once it has been asked a number of times, by any goroutine.
type fuse struct {
	context.Context
	left atomic.Int64
}

func newFuse(left int) *fuse {
	f := &fuse{Context: context.Background()}
	f.left.Store(int64(left))
	return f
}

func (f *fuse) Err() error {
	if f.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// However late an interrupt comes, the run ends with 130 and the best plan so far,
// or with 130 and none, or was done already.
func TestInterruptedAtAnyTime(t *testing.T) {
	model := write(t, filepath.Join(t.TempDir(), "m.tflite"), small()["branch"])
	done, partial, none := 0, 0, 0
	for left := range 60 {
		got := executeIn(newFuse(left), noTerminal(), nil, "plan", model, "--approach", "shared")
		switch {
		case got.code == exitOK && got.stderr == "":
			done++
		case got.code == exitInterrupted && got.stdout == "" && strings.Contains(got.stderr, ": interrupted\n"):
			none++
		case got.code == exitInterrupted && strings.HasPrefix(got.stdout, "total:") && strings.Contains(got.stderr, "interrupted"):
			partial++
		default:
			t.Errorf("after %d: %+v", left, got)
		}
	}
	if done == 0 || partial == 0 || none == 0 {
		t.Errorf("%d done, %d with a plan, %d without: each was to happen", done, partial, none)
	}
}

// Of several inputs, those that were done before the interrupt are shown.
func TestInterruptedAmongSeveral(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.tflite"), small()["branch"])
	write(t, filepath.Join(dir, "b.tflite"), small()["branch"])
	for _, command := range []string{"analyze", "compare"} {
		partial := 0
		for left := range 90 {
			got := executeIn(newFuse(left), noTerminal(), nil, command, dir)
			if got.code != exitOK && got.code != exitInterrupted {
				t.Errorf("%s after %d: %+v", command, left, got)
			}
			if strings.Contains(got.stderr, "1 of 2 inputs") {
				partial++
				if got.code != exitInterrupted || got.stdout == "" {
					t.Errorf("%s after %d: %+v", command, left, got)
				}
			}
		}
		if partial == 0 {
			t.Errorf("%s was never interrupted between its inputs", command)
		}
	}
}

func TestTimeLimit(t *testing.T) {
	model := write(t, filepath.Join(t.TempDir(), "m.tflite"), small()["branch"])
	got := execute(noTerminal(), nil, "plan", model, "--time-limit", "1ns")
	if got.code != exitNoAnswer || !strings.Contains(got.stderr, "--time-limit 1ns") || got.stdout != "" {
		t.Errorf("%+v", got)
	}
	if got := execute(noTerminal(), nil, "plan", model, "--time-limit", time.Hour.String()); got.code != exitOK {
		t.Errorf("%+v", got)
	}
}

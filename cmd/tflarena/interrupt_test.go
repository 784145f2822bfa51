package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
)

// An interrupt leaves the file as it was, whenever it comes.
func TestRewriteInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.tflite")
	codes := map[int]int{}
	for asked := range 80 {
		write(t, path, small()["branch"])
		got := executeIn(newFuse(asked), noTerminal(), nil, "rewrite", path, "--in-place", "--scratch", "none")
		codes[got.code]++
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if same := bytes.Equal(data, small()["branch"]); same != (got.code == exitInterrupted) || got.code != exitInterrupted && got.code != exitOK {
			t.Errorf("after %d: exit %d, file unchanged: %v: %s", asked, got.code, same, got.stderr)
		}
	}
	if codes[exitInterrupted] == 0 || codes[exitOK] == 0 {
		t.Errorf("exit codes %v", codes)
	}
}

// An interrupt ends a long search with the best plan so far, a time limit too.
func TestSearchEnds(t *testing.T) {
	// An open problem: its optimum lies somewhere between 986,112 and 1,020,928 bytes.
	path := filepath.Join(corpus.Dir(t), "dsa-benchmarks", "minimalloc", "D.1048576.csv")
	for _, c := range []struct {
		args []string
		code int
		text string
	}{
		{[]string{"--strategy", "exact"}, exitInterrupted, "interrupted"},
		{[]string{"--strategy", "exact", "--time-limit", "1s"}, exitOK, "--time-limit 1s"},
		{[]string{"--capacity", "990000", "--time-limit", "1h"}, exitInterrupted, "interrupted"},
	} {
		got := searched(c.code == exitInterrupted, append([]string{"plan", path}, c.args...)...)
		if got.code != c.code || !strings.Contains(got.stderr, c.text) || !strings.Contains(got.stdout, "total:") {
			t.Errorf("%v: exit %d, %s\n%.400s", c.args, got.code, got.stderr, got.stdout)
		}
	}
}

// searched runs the command, and interrupts it after a while if asked to: later again where the
// machine is so slow that there was no plan until then.
func searched(interrupted bool, args ...string) outcome {
	for wait := 500 * time.Millisecond; ; wait *= 3 {
		ctx, cancel := context.WithCancel(context.Background())
		if interrupted {
			time.AfterFunc(wait, cancel)
		}
		got := executeIn(ctx, noTerminal(), nil, args...)
		cancel()
		if got.stdout != "" || !interrupted || wait > time.Minute {
			return got
		}
	}
}

// An interrupt of fit leaves no broken file, whenever it comes: where the least head is looked
// for the best so far is written, and otherwise none.
func TestFitInterrupted(t *testing.T) {
	dir := t.TempDir()
	path, out := filepath.Join(dir, "m.tflite"), filepath.Join(dir, "out.tflite")
	write(t, path, small()["branch"])
	written := 0
	for _, flags := range [][]string{{"--least"}, {"--arena", "16"}} {
		for asked := 0; asked < 60; asked += 3 {
			_ = os.Remove(out)
			got := executeIn(newFuse(asked), noTerminal(), nil, append([]string{"fit", path, "-o", out, "--scratch", "none"}, flags...)...)
			_, err := os.Stat(out)
			switch there := err == nil; {
			case got.code == exitInterrupted && there:
				written++
				if flags[0] != "--least" || !strings.Contains(got.stderr, "written") {
					t.Errorf("%v after %d: a file is written: %s", flags, asked, got.stderr)
				}
				if v := execute(noTerminal(), nil, "verify", out); v.code != exitOK {
					t.Errorf("%v after %d: %s", flags, asked, v.stdout)
				}
			case got.code == exitInterrupted:
			case got.code == exitOK && there && flags[0] == "--least":
			case got.code == exitCheck && !there && flags[0] == "--arena":
			default:
				t.Errorf("%v after %d: exit %d, written %v: %s", flags, asked, got.code, there, got.stderr)
			}
		}
	}
	if written == 0 {
		t.Error("nothing was ever written")
	}
}

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
)

// However late an interrupt comes, a model that is computed tile by tile has the best plan so far as
// soon as its operators are cut, each by itself.
func TestTilingInterrupted(t *testing.T) {
	model := write(t, filepath.Join(t.TempDir(), "m.tflite"), encode.Encode(convolutions(6, 16, 16, 4, 1)))
	done, partial, none := 0, 0, 0
	for left := 0; done == 0; left += 1 + left/8 {
		got := executeIn(newFuse(left), noTerminal(), nil, "plan", model, "--tiles", "--on-chip", "8K", "--cascade", "64")
		switch {
		case got.code == exitOK && got.stderr == "":
			done++
		case got.code == exitInterrupted && got.stdout == "" && strings.Contains(got.stderr, ": interrupted\n"):
			none++
		case got.code == exitInterrupted && strings.HasPrefix(got.stdout, "off chip:") && strings.Contains(got.stderr, "interrupted"):
			partial++
		default:
			t.Fatalf("after %d: exit %d, %s\n%s", left, got.code, got.stderr, got.stdout)
		}
	}
	if partial == 0 || none == 0 {
		t.Errorf("%d interrupted with a plan, %d without", partial, none)
	}
}

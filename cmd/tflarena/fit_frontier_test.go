package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/results"
	drawn "github.com/tflarena/tflarena/internal/testkit/network"
)

// TestNextCommandWorks: the command that fit ends with meets the budget of the point that it is about.
func TestNextCommandWorks(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a model.tflite")
	if err := os.WriteFile(path, drawn.Convolutions(3, 8), 0o600); err != nil {
		t.Fatal(err)
	}
	got := execute(noTerminal(), nil, "fit", path, "--json", "--alias", "off", "--abi", "arm", "--time-limit", "5m")
	var f results.Frontier
	if err := readOnly([]byte(got.stdout), &f); err != nil || got.code != exitOK {
		t.Fatalf("exit %d: %s %v", got.code, got.stderr, err)
	}
	var point *results.FrontierPoint
	for i, p := range f.Levels[0].Points {
		if strings.Contains(f.Next, fmt.Sprintf(" --arena %d ", p.BudgetBytes)) {
			point = &f.Levels[0].Points[i]
		}
	}
	if point == nil {
		t.Fatalf("no point looks worth it: %+v", f)
	}
	// The name has a blank and is quoted.
	line := strings.Replace(f.Next, "'"+path+"'", "MODEL", 1)
	args := strings.Fields(line)[1:]
	for i := range args {
		if args[i] == "MODEL" {
			args[i] = path
		}
	}
	if last := len(args) - 3; last < 0 || !strings.Contains(f.Next, "--abi arm") || !strings.HasSuffix(f.Next, " -o 'a model-smaller.tflite'") {
		t.Fatalf("next command %q", f.Next)
	}
	args = append(args[:len(args)-2], filepath.Join(dir, "fit.tflite"), "--json")
	made := execute(noTerminal(), nil, args...)
	var r results.Fit
	if err := readOnly([]byte(made.stdout), &r); err != nil || made.code != exitOK {
		t.Fatalf("%q: exit %d: %s %v", f.Next, made.code, made.stderr, err)
	}
	if best := r.Steps[len(r.Steps)-1]; !*r.Met || best.Required > point.Required {
		t.Errorf("%q makes %+v, which is above %+v", f.Next, best, point)
	}
}

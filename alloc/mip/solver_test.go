package mip

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// A solver is a program that solves integer programs.
type solver struct {
	name string
	// args returns its arguments for a program in a file.
	args func(form, program, solution string) []string
	// proof is in what it prints once it has an optimum and its proof.
	proof string
}

var (
	// Nodes are limited rather than time, so that every machine proves the same.
	cbc = solver{"cbc", func(_, program, solution string) []string {
		return []string{program, "maxNodes", "200", "solve", "solution", solution}
	}, "Result - Optimal solution found"}
	glpsol = solver{"glpsol", func(form, program, solution string) []string {
		return []string{map[string]string{"lp": "--lp", "mps": "--freemps"}[form], program, "--cuts", "--write", solution}
	}, "INTEGER OPTIMAL SOLUTION FOUND"}
)

// need skips the test where the solver is not installed, saying so, or fails it when
// TFLARENA_REQUIRE_SOLVER is 1.
func (s solver) need(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath(s.name); err == nil {
		return
	}
	message := "left out: no " + s.name + " (Debian: apt-get install coinor-cbc glpk-utils)"
	if os.Getenv("TFLARENA_REQUIRE_SOLVER") == "1" {
		t.Fatal(message)
	}
	t.Skip(message)
}

// run solves a program. It returns the file that the solver wrote, nil when it has
// none, and whether it has a proof.
func (s solver) run(t testing.TB, form string, program []byte) (solution []byte, proven bool) {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "program."+form), filepath.Join(dir, "solution.txt")
	if err := os.WriteFile(in, program, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute) // for what hangs
	defer cancel()
	log, err := exec.CommandContext(ctx, s.name, s.args(form, in, out)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s\n%s", s.name, err, log, program)
	}
	solution, err = os.ReadFile(out)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return solution, bytes.Contains(log, []byte(s.proof))
}

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tflarena/tflarena/internal/golden"
	drawn "github.com/tflarena/tflarena/internal/network"
)

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", UpdateScripts: *golden.Update, RequireExplicitExec: true,
		// Sentences stay in one line, to be looked for; TestWidths has what becomes of them.
		Setup: func(env *testscript.Env) error {
			env.Setenv("COLUMNS", "400")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"model": writeModel, "code": code},
		Condition: func(condition string) (bool, error) {
			if condition == "root" {
				return os.Geteuid() == 0, nil // whom no permission stops
			}
			return false, fmt.Errorf("no condition %q", condition)
		},
	})
}

// writeModel is "model NAME FILE": it writes one of the little models.
func writeModel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: model NAME FILE")
	}
	data, ok := small()[args[0]]
	if args[0] == "convolutions" { // large enough that pieces make the whole arena smaller
		data, ok = drawn.Convolutions(9, 8), true
	}
	if !ok {
		ts.Fatalf("no model %q", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o600))
}

// code is "code N PROGRAM ARGS...": it runs a program and fails unless it exits with
// N. What it printed can be looked at as after exec.
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

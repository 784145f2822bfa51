package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tflarena/tflarena/internal/testkit/checkout"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	drawn "github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", UpdateScripts: *golden.Update, RequireExplicitExec: true,
		// Values stay in one line, to be looked for; TestWidths has what becomes of them.
		Setup: func(env *testscript.Env) error {
			env.Setenv("COLUMNS", "400")
			env.Setenv(checkout.Variable, checkout.Path())
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"model": writeModel, "code": code, "like": like, "next": runNext, "corpus": copyModel, "document": writePageFile},
		Condition: func(condition string) (bool, error) {
			switch condition {
			case "root":
				return os.Geteuid() == 0, nil // whom no permission stops
			case "corpus":
				if corpus.Find() == "" && os.Getenv("TFLARENA_REQUIRE_SHARED") == "1" {
					return false, errors.New("no shared test data")
				}
				return corpus.Find() != "", nil
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
	if args[0] == "little" { // so small that tiles make the head smaller and the tail larger by more
		data, ok = drawn.Convolutions(9, 1), true
	}
	if detector, found := drawn.Detectors()[args[0]]; found {
		data, ok = detector, true
	}
	if args[0] == "nearer" {
		data, ok = nearer(ts), true
	}
	if !ok {
		ts.Fatalf("no model %q", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o600))
}

// nearer returns the convolutions with a plan in which the output of one is 4 bytes nearer to its
// input than the reference kernel permits.
func nearer(ts *testscript.TestScript) []byte {
	m, err := tflite.Parse(drawn.Convolutions(9, 8), "nearer")
	ts.Check(err)
	offsets := make([]int32, len(m.Subgraphs[0].Tensors))
	for i := range offsets {
		offsets[i] = rewrite.Online
	}
	offsets[3], offsets[6], offsets[9] = 37088, 32, 0
	r, err := rewrite.Embed(m, offsets, rewrite.Options{Marker: rewrite.OverlapMarker("diagonal", "reference")})
	ts.Check(err)
	return r.Data
}

// code is "code N PROGRAM ARGS...": it runs a program and fails unless it exits with N. Its output can
// be checked as after exec.
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

// like is "like FILE TEXT": it fails unless a file is [golden.Like] a text.
func like(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: like FILE TEXT")
	}
	if diff := golden.Like(ts.ReadFile(args[1]), ts.ReadFile(args[0])); diff != "" {
		ts.Fatalf("%s is not like %s:\n%s", args[0], args[1], diff)
	}
}

// copyModel is "corpus MODEL FILE": it copies one of the shared models.
func copyModel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: corpus MODEL FILE")
	}
	data, err := os.ReadFile(filepath.Join(corpus.Find(), "models", filepath.FromSlash(args[0])))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o600))
}

// writePageFile is "document PAGE FILE": it writes a file of a page of the documents.
func writePageFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: document PAGE FILE")
	}
	page, err := os.ReadFile(filepath.Join("..", "..", args[0]))
	ts.Check(err)
	data, found := pageFiles(string(page))[args[1]]
	if !found {
		ts.Fatalf("%s has no file %s", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(data), 0o600))
}

// nextLine finds the command line that a command of ours suggests.
var nextLine = regexp.MustCompile(`(?m)^next: +(.*)$`)

// runNext is "next N": it runs the command line that the one before it suggests, and fails unless
// that exits with N.
func runNext(ts *testscript.TestScript, neg bool, args []string) {
	found := nextLine.FindStringSubmatch(ts.ReadFile("stdout"))
	if neg || len(args) != 1 || found == nil {
		ts.Fatalf("usage: next N, behind a command that says what is next")
	}
	code(ts, neg, append(args, strings.Fields(found[1])...))
}

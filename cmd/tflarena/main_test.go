package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/terminal"
	"github.com/tflarena/tflarena/internal/testkit/checkout"
	"github.com/tflarena/tflarena/internal/testkit/lean"
)

func TestMain(m *testing.M) {
	lean.Runtime()
	os.Setenv("GOMEMLIMIT", "off") // many commands run in this process
	os.Setenv(checkout.Variable, checkout.Path())
	inspect, app.Rounds = checkSchema, 1
	byDefault = func(ctx context.Context, _ time.Duration) (context.Context, context.CancelFunc) {
		return ctx, func() {} // a context of a test may count how often it is asked
	}
	testscript.Main(packaged{m}, map[string]func(){"tflarena": main})
}

// setRounds sets the number of rounds of searches for a test.
func setRounds(t *testing.T, rounds int) {
	t.Helper()
	before := app.Rounds
	app.Rounds = rounds
	t.Cleanup(func() { app.Rounds = before })
}

// noTerminal is an environment without terminals and variables.
func noTerminal() terminal.Env {
	return terminal.Env{
		Getenv:     func(string) string { return "" },
		IsTerminal: func(any) bool { return false },
		Columns:    func(any) int { return 0 },
	}
}

// allTerminals is an environment in which every stream is a terminal.
func allTerminals(columns int) terminal.Env {
	e := noTerminal()
	e.IsTerminal = func(any) bool { return true }
	e.Columns = func(any) int { return columns }
	return e
}

// outcome is what a run of the command did.
type outcome struct {
	code           int
	stdout, stderr string
}

// execute runs the command inside the test, in a context that never ends.
func execute(env terminal.Env, stdin []byte, args ...string) outcome {
	return executeIn(context.Background(), env, stdin, args...)
}

func executeIn(ctx context.Context, env terminal.Env, stdin []byte, args ...string) outcome {
	var stdout, stderr bytes.Buffer
	code := run(ctx, append([]string{name}, args...), bytes.NewReader(stdin), &stdout, &stderr, env)
	return outcome{code, stdout.String(), stderr.String()}
}

// errNoResult reports that the only element of a JSON document is an input that failed.
var errNoResult = errors.New("there is no result")

// readOnly reads the only element of a JSON document.
func readOnly(document []byte, element any) error {
	var d struct{ Models []json.RawMessage }
	if err := json.Unmarshal(document, &d); err != nil {
		return err
	}
	if len(d.Models) != 1 {
		return fmt.Errorf("%d elements, want one", len(d.Models))
	}
	var failed results.Failed
	if err := json.Unmarshal(d.Models[0], &failed); err != nil || failed.Error.Kind != "" {
		return errors.Join(err, fmt.Errorf("%w: %s", errNoResult, failed.Error.Message))
	}
	return json.Unmarshal(d.Models[0], element)
}

func write(t *testing.T, path string, data []byte) string {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestNoArgumentsAtAll(t *testing.T) {
	var out bytes.Buffer
	if code := run(context.Background(), nil, nil, &out, &out, noTerminal()); code != exitUsage || !strings.Contains(out.String(), "Usage: tflarena") {
		t.Errorf("exit %d: %s", code, out.String())
	}
}

package webapp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/exp/slices"
)

// plannerPath is the package of the planner.
const plannerPath = "github.com/tflarena/tflarena/site/wasm"

// A tool is a Go tool that finds the sources of the planner.
type tool struct {
	// root is the folder of the Go distribution.
	root string
}

// findTool searches the Go tool, and the sources from the working folder.
func findTool(ctx context.Context) (*tool, error) {
	root, err := run(ctx, "env", "GOROOT")
	if err != nil {
		return nil, ErrSources
	}
	if _, err := run(ctx, "list", plannerPath); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, ErrSources
	}
	return &tool{root: strings.TrimSpace(root)}, nil
}

// build returns the planner in WebAssembly.
func (*tool) build(ctx context.Context) ([]byte, error) {
	dir, err := os.MkdirTemp("", "tflarena")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "planner.wasm")
	c := command(ctx, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", path, plannerPath)
	c.Env = append(c.Env, "GOTMPDIR="+dir) // if it is killed, its files are removed with ours
	if _, err := output(c); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// licences returns the licences of Go and of all modules of the planner.
func (t *tool) licences(ctx context.Context) (string, error) {
	text, err := os.ReadFile(filepath.Join(t.root, "LICENSE"))
	if err != nil {
		return "", err
	}
	all := "Go\n\n" + string(text)
	list, err := run(ctx, "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}", plannerPath)
	if err != nil {
		return "", err
	}
	modules := strings.Split(strings.TrimSpace(list), "\n")
	slices.Sort(modules)
	for _, m := range slices.Compact(modules) {
		name, dir, _ := strings.Cut(m, "\t")
		found, err := filepath.Glob(filepath.Join(dir, "LICENSE*"))
		if err != nil || len(found) == 0 {
			return "", fmt.Errorf("%s: no licence in %s", name, dir)
		}
		if text, err = os.ReadFile(found[0]); err != nil {
			return "", err
		}
		all += "\n" + strings.TrimSpace(name) + "\n\n" + string(text)
	}
	return all, nil
}

// run runs the Go tool for WebAssembly and returns what it prints.
func run(ctx context.Context, words ...string) (string, error) { return output(command(ctx, words...)) }

func command(ctx context.Context, words ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, "go", words...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // it stops its child processes
	c.WaitDelay = 5 * time.Second
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	return c
}

// output returns the output of a command. Its error includes standard error.
func output(c *exec.Cmd) (string, error) {
	out, err := c.Output()
	if e := (*exec.ExitError)(nil); errors.As(err, &e) {
		err = fmt.Errorf("go %s: %w\n%s", c.Args[1], err, strings.TrimSpace(string(e.Stderr)))
	}
	return string(out), err
}

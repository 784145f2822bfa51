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

// findTool returns the folder of the Go distribution. Its error is errSources if there is no Go tool, or
// the sources of the planner cannot be found from the working folder.
func findTool(ctx context.Context) (root string, err error) {
	root, err = run(ctx, "env", "GOROOT")
	if err == nil {
		_, err = run(ctx, "list", plannerPath)
	}
	if err != nil && ctx.Err() == nil {
		err = errSources
	}
	return strings.TrimSpace(root), err
}

// build returns the planner in WebAssembly.
func build(ctx context.Context) ([]byte, error) {
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

// licences returns the licences of the Go distribution in a folder and of all modules of the planner.
func licences(ctx context.Context, root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "LICENSE"))
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

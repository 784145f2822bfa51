package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/problem"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

const (
	stdinPath     = "-"
	stdinTitle    = "<stdin>"
	builtinPrefix = "builtin:"
)

// load returns the bytes that a MODEL argument names, and what messages call it. An
// interrupt ends the reading.
func (p *program) load(ctx context.Context, arg string) (data []byte, title string, err error) {
	if network, ok := strings.CutPrefix(arg, builtinPrefix); ok {
		// Embedded weights, because TensorFlow Lite Micro takes external ones for
		// activations.
		data, err = models.Build(network, models.Options{Weights: models.Zero})
		if err != nil {
			return nil, arg, &usageError{err.Error()}
		}
		return data, arg, nil
	}
	if arg == "" {
		return nil, arg, errNoName
	}
	if arg == stdinPath {
		f, isFile := p.stdin.(*os.File)
		if isFile {
			if info, err := f.Stat(); err == nil {
				p.remember(stdinTitle, info, f.Stat)
			}
		}
		data, err = await(ctx, func() ([]byte, error) {
			if isFile {
				return tflite.Load(f, acceptInput(stdinTitle))
			}
			return tflite.ReadAll(p.stdin, -1, acceptInput(stdinTitle))
		})
		return data, stdinTitle, named(stdinTitle, plainError(err))
	}
	data, info, err := statAndRead(ctx, arg, acceptInput(arg))
	p.remember(arg, info, func() (fs.FileInfo, error) { return os.Stat(arg) })
	return data, arg, err
}

// errNoName is about the file name "", which a script makes of a variable that is not
// set.
var errNoName error = &usageError{"a file name is empty: name a file, or - for standard input"}

func isBuiltin(arg string) bool { return strings.HasPrefix(arg, builtinPrefix) }

// acceptInput refuses, by their beginning, long inputs that are neither a model nor a
// CSV problem.
func acceptInput(title string) func([]byte) error {
	return func(beginning []byte) error {
		if isProblem(title, beginning) {
			return acceptText(beginning)
		}
		if err := tflite.Plausible(beginning); err != nil {
			return fmt.Errorf("%w; nor is it a CSV problem", err)
		}
		return nil
	}
}

// acceptText refuses, by their beginning, long inputs that are not text.
func acceptText(beginning []byte) error {
	if bytes.IndexByte(beginning, 0) >= 0 {
		return invalidError{errors.New("a text is wanted here, and this is none: it has zero bytes")}
	}
	return nil
}

// await does the work, unless an interrupt comes first: reading may wait for ever, and
// nothing wakes it up. The work is then left to itself.
func await(ctx context.Context, work func() ([]byte, error)) ([]byte, error) {
	type outcome struct {
		data []byte
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		data, err := work()
		done <- outcome{data, err}
	}()
	select {
	case o := <-done:
		return o.data, o.err
	case <-ctx.Done():
		return nil, interruptedError{}
	}
}

// readFile reads a file, which may be a pipe: one that nobody writes to cannot even be
// opened. Its error names the file.
func readFile(ctx context.Context, path string, accept func([]byte) error) ([]byte, error) {
	data, _, err := statAndRead(ctx, path, accept)
	return data, err
}

// statAndRead is readFile; it also returns what the file was like before.
func statAndRead(ctx context.Context, path string, accept func([]byte) error) (data []byte, info fs.FileInfo, err error) {
	before := make(chan fs.FileInfo, 1)
	data, err = await(ctx, func() ([]byte, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			return nil, errors.New("is a directory; name a file")
		}
		before <- info
		return tflite.Load(f, accept)
	})
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return nil, nil, plainError(err)
	}
	if err != nil {
		return nil, nil, named(path, err)
	}
	return data, <-before, nil
}

// plainError says "PATH: PROBLEM" without the system call that failed, and what to do
// about it.
func plainError(err error) error {
	e := (*fs.PathError)(nil)
	switch {
	case !errors.As(err, &e):
		return err
	case errors.Is(e.Err, fs.ErrNotExist):
		return named(e.Path, fmt.Errorf("%w; %s", e.Err, missingHint(e.Path)))
	case errors.Is(e.Err, fs.ErrPermission):
		return named(e.Path, fmt.Errorf("%w; allow this user to read it first", e.Err))
	}
	return named(e.Path, e.Err)
}

// missingHint says what may have been meant by a file that does not exist.
func missingHint(path string) string {
	network := strings.TrimSuffix(filepath.Base(path), ".tflite")
	for _, n := range models.List() {
		if n.Name == network {
			return fmt.Sprintf("%s%s is the network that is built in", builtinPrefix, network)
		}
	}
	return "check the path"
}

// isProblem reports whether an input is a CSV problem rather than a model.
func isProblem(title string, data []byte) bool {
	return strings.EqualFold(filepath.Ext(title), ".csv") || problem.LooksLike(data[:min(len(data), 1<<16)])
}

// view parses a model and returns it as a runtime sees it.
func view(title string, data []byte, r rules.Rules, subgraph int) (*rules.View, error) {
	m, err := tflite.Parse(data, title)
	if err != nil {
		return nil, named(title, err)
	}
	return viewOf(m, r, subgraph)
}

// viewOf returns a model as a runtime sees it.
func viewOf(m *tflite.Model, r rules.Rules, subgraph int) (*rules.View, error) {
	title := m.Name
	v, err := r.View(m, subgraph)
	if errors.Is(err, lifetime.ErrTooLarge) {
		return nil, named(title, invalidError{err})
	}
	if err != nil {
		return nil, usagef("%s: %v", title, err)
	}
	if err := lifetime.CheckRecords(v.Records()); err != nil {
		return nil, named(title, invalidError{err})
	}
	return v, nil
}

// warnings returns the warnings about a model and about running it.
func warnings(v *rules.View) []string {
	problems, missing := refusals(v.Rules.Title, v.Obstacles())
	return append(append(unusual(v.Model), problems...), missing...)
}

// unusual returns what is unusual about a file.
func unusual(m *tflite.Model) []string {
	list := []string{}
	for _, w := range m.Warnings {
		list = append(list, w.String())
	}
	return list
}

// expand replaces each directory by the files in it and below that have one of the
// extensions, in the order of their names.
func expand(args []string, extensions ...string) ([]string, error) {
	if once := slices.Index(args, stdinPath); once >= 0 && slices.Contains(args[once+1:], stdinPath) {
		return nil, usagef("standard input can be read once: name - only once")
	}
	var files []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil || !info.IsDir() || arg == stdinPath {
			files = append(files, arg)
			continue
		}
		before := len(files)
		err = filepath.WalkDir(arg, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && contains(extensions, strings.ToLower(filepath.Ext(path))) {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, plainError(err)
		}
		if len(files) == before {
			return nil, named(arg, fmt.Errorf("no file in this directory ends in %s", strings.Join(extensions, " or ")))
		}
	}
	return files, nil
}

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tflarena/tflarena/internal/problem"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

const (
	stdinPath     = "-"
	builtinPrefix = "builtin:"
)

// load returns the bytes that a MODEL argument names, and what messages call it.
func (p *program) load(arg string) (data []byte, title string, err error) {
	if network, ok := strings.CutPrefix(arg, builtinPrefix); ok {
		// Embedded weights, because TensorFlow Lite Micro takes external ones for
		// activations.
		data, err = models.Build(network, models.Options{Weights: models.Zero})
		if err != nil {
			return nil, arg, &usageError{err.Error()}
		}
		return data, arg, nil
	}
	if arg == stdinPath {
		data, err = readAll(p.stdin, 0)
		return data, "<stdin>", named("<stdin>", err)
	}
	data, err = readFile(arg)
	return data, arg, err
}

func isBuiltin(arg string) bool { return strings.HasPrefix(arg, builtinPrefix) }

// readFile reads a file, which may be a pipe. Its error names the file.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, plainError(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, plainError(err)
	}
	if info.IsDir() {
		return nil, named(path, errors.New("is a directory; name a file"))
	}
	data, err := readAll(f, info.Size())
	return data, plainError(err)
}

// plainError says "PATH: PROBLEM" without the system call that failed.
func plainError(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return named(e.Path, e.Err)
	}
	return err
}

// readAll reads until the end. The expected size only saves growing: memory never
// grows by more than what has arrived.
func readAll(r io.Reader, expected int64) ([]byte, error) {
	const most = 1 << 28 // to be reserved on the word of the file system
	var b bytes.Buffer
	b.Grow(int(min(expected, most)) + bytes.MinRead)
	n, err := b.ReadFrom(io.LimitReader(r, tflite.MaxSize+1))
	if err == nil && n > tflite.MaxSize {
		err = invalidError{fmt.Errorf("larger than %d bytes, the most that is read", int64(tflite.MaxSize))}
	}
	return b.Bytes(), err
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
	list := []string{}
	for _, w := range v.Model.Warnings {
		list = append(list, w.String())
	}
	for _, refusal := range v.Refusals {
		list = append(list, fmt.Sprintf("%s would not run this model: %s", v.Rules.Title, refusal))
	}
	return list
}

// expand replaces each directory by the files in it and below that have one of the
// extensions, in the order of their names.
func expand(args []string, extensions ...string) ([]string, error) {
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

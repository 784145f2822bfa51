package main

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tflarena/tflarena/internal/problem"
	"github.com/tflarena/tflarena/internal/shell"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

const (
	stdinPath     = shell.Stdin
	stdinTitle    = "<stdin>"
	builtinPrefix = shell.Builtin
)

// load returns the bytes of a MODEL argument, and its name in messages. An interrupt ends the reading.
func (p *program) load(arg string) (data []byte, title string, err error) {
	if network, ok := strings.CutPrefix(arg, builtinPrefix); ok {
		if err := knownNetwork(network); err != nil {
			return nil, arg, err
		}
		// Embedded weights, because TensorFlow Lite Micro takes external ones for activations.
		data, err = models.Build(network, models.Options{Weights: models.Zero})
		if err != nil {
			return nil, arg, &usageError{err.Error()}
		}
		collectAt(usualGarbage, len(data))
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
		data, err = await(p.ctx, func() ([]byte, error) {
			if isFile {
				return tflite.Load(f, acceptInput(stdinTitle))
			}
			return tflite.ReadAll(p.stdin, -1, acceptInput(stdinTitle))
		})
		if err != nil {
			return nil, stdinTitle, named(stdinTitle, plainError(err))
		}
		data, err = contents(stdinTitle, data)
		return data, stdinTitle, err
	}
	data, info, err := statAndRead(p.ctx, arg, acceptInput(arg))
	p.remember(arg, info, func() (fs.FileInfo, error) { return os.Stat(arg) })
	if err != nil {
		return nil, arg, err
	}
	data, err = contents(arg, data)
	return data, arg, err
}

// contents returns the model in the bytes of an input: all of them, unless they are source code.
func contents(title string, data []byte) ([]byte, error) {
	if tflite.IsArchive(data) {
		return data, named(title, archiveError(title, data))
	}
	return fromSource(title, data)
}

// loadModel reads and parses a MODEL argument.
func (p *program) loadModel(arg string) (*tflite.Model, error) {
	data, title, err := p.load(arg)
	if err != nil {
		return nil, err
	}
	if isTiles(title, data) {
		return nil, named(title, errTiles)
	}
	if isProblem(title, data) {
		return nil, named(title, invalidError{errors.New("this is a CSV problem, not a model; 'tflarena plan' takes it")})
	}
	m, err := tflite.Parse(data, title)
	return m, named(title, err)
}

// errNoName is the error for the file name "", from an unset variable of a script.
var errNoName error = &usageError{"a file name is empty: name a file, or - for standard input"}

func isBuiltin(arg string) bool { return strings.HasPrefix(arg, builtinPrefix) }

// acceptInput rejects, by their beginning, long inputs that are neither a model nor a problem.
func acceptInput(title string) func([]byte) error {
	return func(beginning []byte) error {
		if isTiles(title, beginning) || isProblem(title, beginning) {
			return acceptText(beginning)
		}
		if isSource(title, beginning) {
			return acceptText(beginning)
		}
		if tflite.IsArchive(beginning) {
			return cmp.Or(archiveError(title, nil), tflite.Plausible(beginning))
		}
		return tflite.Plausible(beginning)
	}
}

// acceptText rejects, by their beginning, long inputs that are not text.
func acceptText(beginning []byte) error {
	if bytes.IndexByte(beginning, 0) >= 0 {
		return invalidError{errors.New("this is not a text file, because it contains zero bytes: name a text file")}
	}
	return nil
}

// isProblem reports whether an input is a CSV problem rather than a model.
func isProblem(title string, data []byte) bool {
	return strings.EqualFold(filepath.Ext(title), ".csv") || problem.LooksLike(data[:min(len(data), 1<<16)])
}

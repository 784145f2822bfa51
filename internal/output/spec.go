// Package output reads "-o FORMAT=PATH" and writes files atomically: a reader sees the old contents or
// the new.
package output

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/spelling"
)

// ErrUsage is wrapped by errors about the syntax of an output.
var ErrUsage = errors.New("wrong output")

const (
	// Stdout is the path of standard output.
	Stdout = "-"
	// Stderr is the path of standard error.
	Stderr = "/dev/stderr"
)

// A Spec is one output: a format and a destination.
type Spec struct {
	// Format is one of the formats that [Parse] was given.
	Format string
	// Path is a file's path or [Stdout], also for /dev/stdout and all other paths to standard output;
	// likewise [Stderr] and /dev/fd/N.
	Path string
}

// Parse reads outputs of the form FORMAT=PATH, or PATH whose extension is a format of formats. Two
// outputs to one file are an error, and so is an output to a path in forbidden, which holds the inputs,
// even through links. Errors unwrap to [ErrUsage], except for broken links.
func Parse(texts, formats, forbidden []string) ([]Spec, error) {
	return parser{formats: formats, hint: AnotherPath}.all(texts, forbidden)
}

// ParseModel is [Parse] for commands that write a model: the first of formats is the default for paths
// without a known extension, and for [Stdout]. Hint is the remedy for an output that is the input.
func ParseModel(texts, formats, forbidden []string, hint string) ([]Spec, error) {
	return parser{formats: formats, fallback: formats[0], hint: hint}.all(texts, forbidden)
}

// AnotherPath is the usual remedy for an output that is the input.
const AnotherPath = "choose another path"

// A parser reads outputs. Fallback is the default format, if any; hint is the remedy for an output that
// is the input.
type parser struct {
	formats        []string
	fallback, hint string
}

func (p parser) all(texts, forbidden []string) ([]Spec, error) {
	var specs []Spec
	for _, text := range texts {
		s, err := p.one(text)
		if err != nil {
			return nil, err
		}
		s.Path = canonical(s.Path)
		if s.Path == Stderr && !isText(s.Format) {
			return nil, usage("-o %s: standard error is for messages, which would mix with %s: choose another path", text, s.Format)
		}
		if !IsStream(s.Path) {
			if _, err := Target(s.Path); err != nil {
				return nil, err
			}
		}
		for _, other := range specs {
			if err := checkDistinct(other.Path, s.Path); err != nil {
				return nil, err
			}
		}
		for _, input := range forbidden {
			if s.Path != Stdout && input != Stdout && same(s.Path, input) {
				return nil, usage("-o %s would overwrite the input: %s", text, p.hint)
			}
		}
		specs = append(specs, s)
	}
	return specs, nil
}

// checkDistinct rejects two outputs to one file.
func checkDistinct(a, b string) error {
	switch {
	case a == Stdout && b == Stdout, filepath.Clean(a) == filepath.Clean(b):
		return usage("two outputs to %s: give each its own path", place(b))
	case a != Stdout && b != Stdout && same(a, b):
		return usage("two outputs to one file, as %s and %s: give each its own path", a, b)
	}
	return nil
}

func (p parser) one(text string) (Spec, error) {
	format, path, ok := strings.Cut(text, "=")
	if !ok || !isWord(format) && !slices.Contains(p.formats, format) {
		return p.byExtension(text)
	}
	if name := formatOf(format); slices.Contains(p.formats, name) {
		format = name // an extension suffices
	}
	switch {
	case !slices.Contains(p.formats, format):
		return Spec{}, usage("-o %s: unknown format %q: %suse %s", text, format, spelling.Hint(format, p.formats), p.known())
	case path == "":
		return Spec{}, usage("-o %s: no path after %q (%s=- is standard output)", text, "=", format)
	}
	return Spec{format, path}, nil
}

func (p parser) known() string { return spelling.List(p.formats, "or") }

// byExtension reads a path without a format prefix.
func (p parser) byExtension(path string) (Spec, error) {
	format := formatOf(strings.ToLower(strings.TrimPrefix(filepath.Ext(path), ".")))
	switch {
	case path == "":
		return Spec{}, usage("-o: no path given: name a file, or - for standard output")
	case path != Stdout && slices.Contains(p.formats, format):
		return Spec{format, path}, nil
	case p.fallback != "":
		return Spec{p.fallback, path}, nil
	case path == Stdout:
		return Spec{}, usage("-o -: say the format, as in -o %s=-", p.formats[0])
	}
	return Spec{}, usage("-o %s: the extension is not a format: use -o FORMAT=PATH, where FORMAT is %s", path, p.known())
}

func isWord(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r < 'a' || r > 'z' }) < 0
}

func place(path string) string {
	if path == Stdout {
		return "standard output"
	}
	return path
}

// usageError prints as its text alone and unwraps to [ErrUsage].
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }
func (e *usageError) Unwrap() error { return ErrUsage }

func usage(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

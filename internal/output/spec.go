// Package output reads "-o FORMAT=PATH" and writes files so that a reader sees the
// old contents or the new, never half of them.
package output

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/exp/slices"
)

// ErrUsage is what errors about the wording of an output unwrap to.
var ErrUsage = errors.New("wrong output")

// Stdout is the path that stands for standard output.
const Stdout = "-"

// A Spec is one output: a format and where it goes.
type Spec struct {
	// Format is one of the formats that [Parse] was given.
	Format string
	// Path is a file's path or [Stdout].
	Path string
}

// extensions gives the formats whose files are called otherwise.
var extensions = map[string]string{"md": "markdown", "htm": "html", "h": "header", "hpp": "header"}

// Parse reads outputs of the form FORMAT=PATH, or PATH whose extension is a format.
// Formats lists what there is. Two outputs to one place are an error, and so is an
// output to a path in forbidden, which holds the inputs. Errors unwrap to [ErrUsage].
func Parse(texts, formats, forbidden []string) ([]Spec, error) {
	var specs []Spec
	for _, text := range texts {
		s, err := parse(text, formats)
		if err != nil {
			return nil, err
		}
		for _, other := range specs {
			if filepath.Clean(other.Path) == filepath.Clean(s.Path) {
				return nil, usage("two outputs to %s: give each its own path", place(s.Path))
			}
		}
		for _, input := range forbidden {
			if s.Path != Stdout && same(s.Path, input) {
				return nil, usage("-o %s would overwrite the input: choose another path", text)
			}
		}
		specs = append(specs, s)
	}
	return specs, nil
}

func parse(text string, formats []string) (Spec, error) {
	known := strings.Join(formats, ", ")
	if format, path, ok := strings.Cut(text, "="); ok && isWord(format) {
		switch {
		case !slices.Contains(formats, format):
			return Spec{}, usage("-o %s: unknown format %q (known: %s)", text, format, known)
		case path == "":
			return Spec{}, usage("-o %s: no path after %q (%s=- is standard output)", text, "=", format)
		}
		return Spec{format, path}, nil
	}
	if text == Stdout {
		return Spec{}, usage("-o -: say the format, as in -o %s=-", formats[0])
	}
	extension := strings.ToLower(strings.TrimPrefix(filepath.Ext(text), "."))
	if name, ok := extensions[extension]; ok {
		extension = name
	}
	if !slices.Contains(formats, extension) {
		return Spec{}, usage("-o %s: the extension is no format: use -o FORMAT=PATH (known: %s)", text, known)
	}
	return Spec{extension, text}, nil
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

// usageError reads as its text alone and unwraps to [ErrUsage].
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }
func (e *usageError) Unwrap() error { return ErrUsage }

func usage(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// notText are the formats that a terminal only garbles.
var notText = []string{"svg", "html", "tflite"}

// CheckTerminal refuses to write to standard output, when that is a terminal, what
// is not meant to be read there. The error unwraps to [ErrUsage].
func CheckTerminal(specs []Spec, stdoutIsTerminal bool) error {
	for _, s := range specs {
		if stdoutIsTerminal && s.Path == Stdout && slices.Contains(notText, s.Format) {
			return usage("standard output is a terminal: write %s to a file, as in -o out.%s, or into a pipe", s.Format, s.Format)
		}
	}
	return nil
}

package budget

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	slashed "path"
	"path/filepath"
)

// Parse reads a budget file. Paths of models are relative to the folder of path. Anything that would
// otherwise be ignored is an error: an unknown member, since a misspelt limit limits nothing, a
// duplicate member, and two names of one file. Errors wrap [ErrInvalid], and name the line and the
// member.
func Parse(data []byte, path string) (*File, error) {
	f := &File{folder: filepath.Dir(path)}
	r := &reader{data: data, d: json.NewDecoder(bytes.NewReader(data))}
	r.d.UseNumber()
	err := r.object("", func(member, key string) error {
		if key == "models" {
			return r.models(member, f)
		}
		if key == "used_bytes" {
			return r.problem(member, "used_bytes is the size of a single model: put it below models")
		}
		return r.limit(member, key, f, &f.Limits)
	})
	if err == nil {
		if _, more := r.d.Token(); !errors.Is(more, io.EOF) {
			err = r.problem("", "there is more text after the JSON object")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return f, nil
}

// A reader reads JSON token by token, to know its position.
type reader struct {
	data []byte
	d    *json.Decoder
}

// problem returns an error about a member, which may be "", at the current line.
func (r *reader) problem(member, text string, args ...any) error {
	return r.problemAt(r.d.InputOffset(), member, text, args...)
}

func (r *reader) problemAt(offset int64, member, text string, args ...any) error {
	line := 1 + bytes.Count(r.data[:min(offset, int64(len(r.data)))], []byte("\n"))
	if member != "" {
		text = "%s: " + text
		args = append([]any{member}, args...)
	}
	return fmt.Errorf("line %d: "+text, append([]any{line}, args...)...)
}

func (r *reader) token(member string) (json.Token, error) {
	token, err := r.d.Token()
	return token, r.syntax(member, err)
}

// syntax rewords an error of the decoder.
func (r *reader) syntax(member string, err error) error {
	syntax := (*json.SyntaxError)(nil)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return r.problemAt(int64(len(r.data)), member, "the file ends too early")
	case errors.As(err, &syntax):
		return r.problemAt(syntax.Offset, member, "%w", err)
	}
	return r.problem(member, "%w", err)
}

// object reads an object, and calls each with every member's full name and key; null is an empty
// object.
func (r *reader) object(member string, each func(member, key string) error) error {
	token, err := r.token(member)
	switch {
	case err != nil:
		return err
	case token == nil && member != "":
		return nil
	case token != json.Delim('{'):
		return r.problem(member, "this has to be an object, in braces")
	}
	seen := map[string]bool{}
	for r.d.More() {
		token, err := r.token(member)
		if err != nil {
			return err
		}
		key, _ := token.(string) // guaranteed by the decoder
		whole := key
		if member != "" {
			whole = fmt.Sprintf("%s: %q", member, key)
		}
		if seen[key] {
			return r.problem(whole, "this is here twice")
		}
		seen[key] = true
		if err := each(whole, key); err != nil {
			return err
		}
	}
	_, err = r.token(member)
	return err
}

// models reads the limits of single models.
func (r *reader) models(member string, f *File) error {
	names := map[string]string{}
	return r.object(member, func(model, name string) error {
		file := f.path(name)
		if absolute, err := filepath.Abs(file); err == nil {
			file = absolute
		}
		if other, twice := names[file]; twice {
			return r.problem(model, "this is the same file as %q", other)
		}
		names[file] = name
		if _, err := slashed.Match(filepath.ToSlash(name), ""); err != nil {
			return r.problem(model, "this is not a pattern: a [ has no ]")
		}
		e := entry{name: name}
		err := r.object(model, func(member, key string) error { return r.limit(member, key, f, &e.Limits) })
		f.entries = append(f.entries, e)
		return err
	})
}

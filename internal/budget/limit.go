package budget

import (
	"errors"

	"github.com/tflarena/tflarena/internal/units"
)

// limitKeys are the keys that set a limit or a base.
var limitKeys = []string{"max_arena", "max_head", "max_tensor", "max_growth", "used_bytes", "base"}

// limit reads one limit. Null means no limit. More are other keys that the table may have.
func (r *reader) limit(m member, path string, l *Limits, more ...string) error {
	read := map[string]func(text string) error{
		"max_arena":  sizeInto(&l.Arena),
		"max_head":   sizeInto(&l.Head),
		"max_tensor": sizeInto(&l.Tensor),
		"max_growth": func(text string) error {
			growth, err := ParseGrowth(text)
			l.Growth = &growth
			return err
		},
		"used_bytes": func(text string) error {
			n, err := units.Parse(text)
			return l.base(&Base{Bytes: n}, err)
		},
		"base": func(text string) error { return l.base(&Base{File: r.file.path(text)}, nil) },
	}[m.key]
	if m.key == "arena_bytes" {
		return r.problem(m.at, path, "this is called used_bytes now")
	}
	if read == nil {
		return r.unknown(m, path, append(limitKeys[:len(limitKeys):len(limitKeys)], more...))
	}
	var err error
	switch v := m.value.(type) {
	case nil:
	case string:
		err = read(v)
	case number:
		if m.key == "base" {
			return r.problem(m.at, path, "%v is not a path: use used_bytes for a number", v)
		}
		err = read(string(v))
	case bool:
		return r.problem(m.at, path, "%v is not a size: use a number of bytes, or a text such as \"128KiB\"", v)
	default:
		return r.problem(m.at, path, "this is not a size: use a number of bytes, or a text such as \"128KiB\"")
	}
	if err != nil {
		return r.problem(m.at, path, "%w", err)
	}
	return nil
}

// sizeInto returns a reader of a size.
func sizeInto(place **Size) func(text string) error {
	return func(text string) error {
		n, err := units.Parse(text)
		size := Size(n)
		*place = &size
		return err
	}
}

// base sets the base of growth, at most one.
func (l *Limits) base(b *Base, err error) error {
	if err == nil && l.Base != nil {
		return errors.New("growth counts from used_bytes or from base: leave one of them out")
	}
	l.Base = b
	return err
}

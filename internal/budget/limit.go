package budget

import (
	"encoding/json"
	"strings"

	"github.com/tflarena/tflarena/internal/spelling"
	"github.com/tflarena/tflarena/internal/units"
)

// limitKeys are the members that set a limit or a base.
var limitKeys = []string{"max_arena", "max_head", "max_tensor", "max_growth", "used_bytes", "base"}

// limit reads one member of limits. Null means no limit.
func (r *reader) limit(member, key string, f *File, l *Limits) error {
	read := map[string]func(member, text string) error{
		"max_arena":  r.size(&l.Arena),
		"max_head":   r.size(&l.Head),
		"max_tensor": r.size(&l.Tensor),
		"max_growth": func(member, text string) error {
			growth, err := ParseGrowth(text)
			l.Growth = &growth
			return r.wrapped(member, err)
		},
		"used_bytes": func(member, text string) error {
			n, err := units.Parse(text)
			return r.base(member, l, &Base{Bytes: n}, err)
		},
		"base": func(member, text string) error { return r.base(member, l, &Base{File: f.path(text)}, nil) },
	}[key]
	if key == "arena_bytes" {
		return r.problem(member, "this is called used_bytes now")
	}
	if read == nil {
		return r.problem(member, "unknown field: %suse %s, or models at the top of the file", spelling.Hint(key, append(limitKeys, "models")), strings.Join(limitKeys, ", "))
	}
	token, err := r.token(member)
	if err != nil {
		return err
	}
	switch t := token.(type) {
	case nil:
		return nil
	case string:
		return read(member, t)
	case json.Number:
		if key == "base" {
			return r.problem(member, "%v is not a path: use used_bytes for a number", t)
		}
		return read(member, t.String())
	}
	return r.problem(member, "%v is not a size: use a number of bytes, or a text such as \"128KiB\"", token)
}

// size returns a reader of a size.
func (r *reader) size(place **Size) func(member, text string) error {
	return func(member, text string) error {
		n, err := units.Parse(text)
		size := Size(n)
		*place = &size
		return r.wrapped(member, err)
	}
}

// base sets the base of growth, at most one.
func (r *reader) base(member string, l *Limits, b *Base, err error) error {
	if err == nil && l.Base != nil {
		return r.problem(member, "growth counts from used_bytes or from base: leave one of them out")
	}
	l.Base = b
	return r.wrapped(member, err)
}

// wrapped adds the line and the member to an error, which may be nil.
func (r *reader) wrapped(member string, err error) error {
	if err == nil {
		return nil
	}
	return r.problem(member, "%w", err)
}

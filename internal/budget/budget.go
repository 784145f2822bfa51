// Package budget reads the file of a project with the targets and memory budgets of its models: TOML or
// JSON.
package budget

import (
	"errors"

	"golang.org/x/exp/slices"
)

// ErrInvalid is wrapped by errors about the file's contents.
var ErrInvalid = errors.New("not a valid project or budget file")

// A Size is a number of bytes, written as an integer or as text such as "128KiB".
type Size int64

// Limits are the largest sizes in bytes of parts of one model; nil means no limit.
type Limits struct {
	// Arena is the required arena.
	Arena *Size
	// Head is the planned part of the arena.
	Head *Size
	// Tensor is the largest tensor, as rounded by the runtime.
	Tensor *Size
	// Growth limits the growth of the arena over Base.
	Growth *Growth
	Base   *Base
}

// Over returns l with missing limits taken from other.
func (l Limits) Over(other Limits) Limits {
	return Limits{
		Arena: over(l.Arena, other.Arena), Head: over(l.Head, other.Head), Tensor: over(l.Tensor, other.Tensor),
		Growth: over(l.Growth, other.Growth), Base: over(l.Base, other.Base),
	}
}

func over[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}

// None reports whether nothing is limited.
func (l Limits) None() bool { return l == Limits{} }

// A File has settings for all models, and for named ones.
type File struct {
	section

	entries []entry
	folder  string
}

// A section has the settings of all models or of one, and limits for single targets.
type section struct {
	Settings

	targets map[string]Limits
}

// on returns the settings on a target, which may be "".
func (s section) on(target string) Settings {
	settings := s.Settings
	settings.Limits = s.targets[target].Over(settings.Limits)
	return settings
}

// An entry has the settings of one model, or of the models that match a pattern.
type entry struct {
	// name is as in the file: a path relative to its folder, or a pattern of such paths.
	name string
	section
}

// For returns the settings of a model, given by a path, on a target, which may be "". Each comes from
// the first of: the model's own entry, the patterns that match it, in order, and all models. Within
// each of these, a limit for the target comes first.
func (f *File) For(model, target string) Settings {
	var own, matched Settings
	for _, e := range f.entries {
		switch {
		case f.names(e, model):
			own = e.on(target)
		case f.matches(e, model):
			matched = matched.Over(e.on(target))
		}
	}
	return own.Over(matched).Over(f.on(target))
}

// Unused returns the names and patterns in the file that match none of the given paths.
func (f *File) Unused(models []string) []string {
	var unused []string
	for _, e := range f.entries {
		if !slices.ContainsFunc(models, func(m string) bool { return f.names(e, m) || f.matches(e, m) }) {
			unused = append(unused, e.name)
		}
	}
	return unused
}

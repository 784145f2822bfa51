// Package budget reads how much memory models may take, from a JSON file that a
// project keeps beside them.
package budget

import (
	"errors"
	"path/filepath"

	"golang.org/x/exp/slices"
)

// ErrInvalid is what errors about the file's contents wrap.
var ErrInvalid = errors.New("not a valid budget file")

// A Size is a number of bytes, written as an integer or as text such as "128KiB".
type Size int64

// Limits are the largest numbers of bytes that parts of one model may take; nil means any
// number.
type Limits struct {
	// Arena is the whole arena: the larger of head and planning, and the tail.
	Arena *Size
	// Head is the part of the arena that is planned.
	Head *Size
	// Tensor is the largest tensor, as the runtime rounds it.
	Tensor *Size
}

// Over returns l, with the limits of other in the places where l has none.
func (l Limits) Over(other Limits) Limits {
	if l.Arena == nil {
		l.Arena = other.Arena
	}
	if l.Head == nil {
		l.Head = other.Head
	}
	if l.Tensor == nil {
		l.Tensor = other.Tensor
	}
	return l
}

// None reports whether nothing is limited.
func (l Limits) None() bool { return l.Arena == nil && l.Head == nil && l.Tensor == nil }

// A File is a budget file: limits for all models, and for single ones.
type File struct {
	Limits
	// Models has the limits of single models, by their paths relative to the folder
	// of the budget file.
	Models map[string]Limits

	folder string
}

// Names returns the paths of the models that have limits of their own, sorted.
func (f *File) Names() []string {
	var names []string
	for _, name := range f.names() {
		names = append(names, f.path(name))
	}
	return names
}

// names returns the models' names as the file has them, sorted.
func (f *File) names() []string {
	var names []string
	for name := range f.Models {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (f *File) path(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(f.folder, filepath.FromSlash(name))
}

// For returns the limits of a model, given by a path: its own, and those of all
// models where it has none.
func (f *File) For(model string) Limits {
	for _, name := range f.names() {
		if same(f.path(name), model) {
			return f.Models[name].Over(f.Limits)
		}
	}
	return f.Limits
}

// Unused returns the names in the file of the models that are none of the given paths.
func (f *File) Unused(models []string) []string {
	var unused []string
	for _, name := range f.names() {
		if !slices.ContainsFunc(models, func(m string) bool { return same(f.path(name), m) }) {
			unused = append(unused, name)
		}
	}
	return unused
}

func same(a, b string) bool {
	x, errX := filepath.Abs(a)
	y, errY := filepath.Abs(b)
	return errX == nil && errY == nil && x == y
}

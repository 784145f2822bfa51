package budget

import (
	"errors"
	"fmt"
	"strconv"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/spelling"
	"github.com/tflarena/tflarena/internal/target"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// Describe calls each for every key that a table may have, with a description.
func Describe(each func(name, about string)) {
	for _, k := range keys {
		each(k.name, k.about)
	}
	each("targets", aboutTargets)
}

const aboutTargets = "limits for one target each"

// keys are the names of settings in the file. A value that is read is not nil.
var keys = []struct {
	name, about string
	// limit reports that tables of targets have the key as well.
	limit bool
	read  func(f *File, s *Settings, value any) error
}{
	{name: "max_arena", about: "the largest required arena, a SIZE. analyze and fit also compare the model with it", limit: true, read: func(_ *File, s *Settings, value any) error { return into(&s.Arena, value, parseSize) }},
	{name: "max_head", about: "the largest head (tensors and scratch), a SIZE", limit: true, read: func(_ *File, s *Settings, value any) error { return into(&s.Head, value, parseSize) }},
	{name: "max_tensor", about: "the largest size of a single tensor, a SIZE", limit: true, read: func(_ *File, s *Settings, value any) error { return into(&s.Tensor, value, parseSize) }},
	{name: "max_growth", about: "the largest growth of the arena: a SIZE, or \"2%\"", limit: true, read: func(_ *File, s *Settings, value any) error { return into(&s.Growth, value, ParseGrowth) }},
	{name: "used_bytes", about: "the arena used before, from the JSON of 'check': the base of max_growth", limit: true, read: func(_ *File, s *Settings, value any) error {
		var used *Size
		if err := into(&used, value, parseSize); err != nil {
			return err
		}
		return s.base(Base{Bytes: int64(*used)})
	}},
	{name: "base", about: "the model before: a file, or a folder with a file at the same path or of the same name. A model that it lacks is new", limit: true, read: func(f *File, s *Settings, value any) error {
		path, ok := value.(string)
		if !ok {
			return fmt.Errorf("%v is not a path: use used_bytes for a number", scalar(value))
		}
		return s.base(Base{File: f.path(path)})
	}},
	{name: "target", about: "the default of --target: a name or a list of names. check gives a verdict for each; other commands take the first. --target, --kernels and --abi override it", read: func(_ *File, s *Settings, value any) error {
		list, ok := value.([]any)
		if !ok {
			list = []any{value}
		}
		for _, v := range list {
			name, ok := v.(string)
			if !ok {
				return errors.New("use the name of a target, or a list of names")
			}
			if _, err := target.Lookup(name); err != nil {
				return err
			}
			if slices.Contains(s.Targets, name) {
				return fmt.Errorf("%s is named twice", name)
			}
			s.Targets = append(s.Targets, name)
		}
		if len(list) == 0 {
			return errors.New("name at least one target, or omit the key")
		}
		return nil
	}},
	{name: "alias", about: "the highest level of in-place outputs: the default of --alias in fit and rewrite; fit --alias auto goes no further, and fit proposes none above it", read: func(_ *File, s *Settings, value any) error {
		word, _ := value.(string)
		var known []string
		for _, a := range rules.AllAliases() {
			known = append(known, string(a))
		}
		if !slices.Contains(known, word) {
			return fmt.Errorf("unknown level: %suse %s", spelling.Hint(word, known), spelling.List(known, "or"))
		}
		s.Alias = rules.Alias(word)
		return nil
	}},
	{name: "resource_variables", about: "the default of --resource-variables", read: func(_ *File, s *Settings, value any) error {
		digits, ok := value.(number)
		n, err := strconv.Atoi(string(digits))
		if !ok || err != nil || n < 0 || n > MaxResourceVariables {
			return fmt.Errorf("use a number from 0 to %d", MaxResourceVariables)
		}
		s.ResourceVariables = &n
		return nil
	}},
	{name: "calibrate", about: "the default of --calibrate: a CSV file with measured times", read: func(f *File, s *Settings, value any) error {
		path, ok := value.(string)
		if !ok || path == "" {
			return errors.New("use the path of a CSV file")
		}
		s.Calibrate = f.path(path)
		return nil
	}},
}

// into sets a limit to a size, which is a number or a text.
func into[T any](limit **T, value any, parse func(text string) (T, error)) error {
	var text string
	switch v := value.(type) {
	case string:
		text = v
	case number:
		text = string(v)
	default:
		return fmt.Errorf("%v is not a size: use a number of bytes, or a text such as \"128KiB\"", scalar(value))
	}
	parsed, err := parse(text)
	*limit = &parsed
	return err
}

func parseSize(text string) (Size, error) {
	n, err := units.Parse(text)
	return Size(n), err
}

// scalar returns a value for an error: "this" for a list or a table.
func scalar(value any) any {
	switch value.(type) {
	case []any, *table:
		return "this"
	}
	return value
}

// base sets the base of growth, at most one.
func (l *Limits) base(b Base) error {
	if l.Base != nil {
		return errors.New("used_bytes and base both set the base of growth: omit one of them")
	}
	l.Base = &b
	return nil
}

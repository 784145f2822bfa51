package budget

import (
	"fmt"
	slashed "path"
	"path/filepath"
	"strings"

	"github.com/tflarena/tflarena/internal/spelling"
	"github.com/tflarena/tflarena/internal/target"
)

// Parse reads a file: TOML if path ends in .toml, or else JSON. Paths of models are relative to the
// folder of path. Everything without an effect is an error: an unknown key, since a misspelt limit limits
// nothing, a duplicate key, and a second name of a file. Errors wrap [ErrInvalid], and name
// the line, the column and the key.
func Parse(data []byte, path string) (*File, error) {
	parse := parseJSON
	if strings.EqualFold(filepath.Ext(path), ".toml") {
		parse = parseTOML
	}
	root, err := parse(data)
	r := &reader{data, &File{folder: filepath.Dir(path)}}
	if err == nil {
		err = r.all(root)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return r.file, nil
}

// A reader turns tables into the settings of a file.
type reader struct {
	text
	file *File
}

// all reads the top of the file.
func (r *reader) all(root *table) error {
	for _, m := range root.members {
		var err error
		switch m.key {
		case "models":
			err = r.models(m)
		case "used_bytes":
			err = r.problem(m.at, m.key, "used_bytes is the size of a single model: put it below models")
		default:
			err = r.section(m, m.key, &r.file.section, "models")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// tables calls each for the members of a value, which is a table or null.
func (r *reader) tables(m member, path string, each func(m member, path string) error) error {
	t, ok := m.value.(*table)
	if m.value == nil {
		return nil
	}
	if !ok {
		return r.problem(m.at, path, "must be an object or a table")
	}
	for _, m := range t.members {
		if err := each(m, joined(path, m.key)); err != nil {
			return err
		}
	}
	return nil
}

// models reads the settings of single models.
func (r *reader) models(all member) error {
	names := map[string]string{}
	return r.tables(all, all.key, func(m member, path string) error {
		file := r.file.path(m.key)
		if absolute, err := filepath.Abs(file); err == nil {
			file = absolute
		}
		if other, twice := names[file]; twice {
			return r.problem(m.at, path, "names the same file as %q", other)
		}
		names[file] = m.key
		if _, err := slashed.Match(filepath.ToSlash(m.key), ""); err != nil {
			return r.problem(m.at, path, "invalid pattern: a [ has no ]")
		}
		e := entry{name: m.key}
		err := r.tables(m, path, func(m member, path string) error { return r.section(m, path, &e.section) })
		r.file.entries = append(r.file.entries, e)
		return err
	})
}

// targets reads the limits of single targets.
func (r *reader) targets(all member, path string, s *section) error {
	s.targets = map[string]Limits{}
	return r.tables(all, path, func(m member, path string) error {
		if _, err := target.Lookup(m.key); err != nil {
			return r.problem(m.at, path, "%w", err)
		}
		var on Settings
		err := r.tables(m, path, func(m member, path string) error { return r.setting(m, path, &on, true) })
		s.targets[m.key] = on.Limits
		return err
	})
}

// section reads one member of the settings of all models or of one. More are other keys that the table
// may have.
func (r *reader) section(m member, path string, s *section, more ...string) error {
	if m.key == "targets" {
		return r.targets(m, path, s)
	}
	return r.setting(m, path, &s.Settings, false, append(more, "targets")...)
}

// setting reads one member of a table of settings or only of limits. More are keys that are read elsewhere.
// Null sets nothing.
func (r *reader) setting(m member, path string, s *Settings, limits bool, more ...string) error {
	if m.key == "arena_bytes" {
		return r.problem(m.at, path, "renamed: use used_bytes")
	}
	var known []string
	for _, k := range keys {
		switch {
		case limits && !k.limit:
		case k.name != m.key:
			known = append(known, k.name)
		case m.value == nil:
			return nil
		default:
			if err := k.read(r.file, s, m.value); err != nil {
				return r.problem(m.at, path, "%w", err)
			}
			return nil
		}
	}
	known = append(known, more...)
	return r.problem(m.at, path, "unknown key: %suse %s", spelling.Hint(m.key, known), spelling.List(known, "or"))
}

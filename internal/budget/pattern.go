package budget

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/exp/slices"
)

// IsPattern reports whether a name in a budget file is a pattern of path.Match.
func IsPattern(name string) bool { return strings.ContainsAny(name, `*?[`) }

// Names returns the paths of the models in the file, sorted; patterns match files that exist now.
func (f *File) Names() []string {
	var names []string
	for _, e := range f.entries {
		if !IsPattern(e.name) || isFile(f.path(e.name)) {
			names = append(names, f.path(e.name))
			continue
		}
		pattern := f.path(e.name)
		if !filepath.IsAbs(e.name) {
			pattern = filepath.Join(literal(f.folder), filepath.FromSlash(e.name))
		}
		found, _ := filepath.Glob(pattern) // the reader has rejected invalid patterns
		for _, file := range found {
			if isFile(file) {
				names = append(names, file)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// literal returns a path as a pattern that matches only the path. Windows patterns have no escapes.
func literal(path string) string {
	if runtime.GOOS == "windows" {
		return path
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// path returns the path of a name, relative to the folder of the budget file.
func (f *File) path(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(f.folder, filepath.FromSlash(name))
}

// names reports whether an entry has the name of a model.
func (f *File) names(e entry, model string) bool {
	x, errX := filepath.Abs(f.path(e.name))
	y, errY := filepath.Abs(model)
	return errX == nil && errY == nil && x == y
}

// matches reports whether an entry is a pattern that matches a model's path.
func (f *File) matches(e entry, model string) bool {
	if !IsPattern(e.name) {
		return false
	}
	file, err := filepath.Abs(model)
	if err == nil && !filepath.IsAbs(e.name) {
		var folder string
		if folder, err = filepath.Abs(f.folder); err == nil {
			file, err = filepath.Rel(folder, file)
		}
	}
	if err != nil {
		return false
	}
	ok, err := path.Match(path.Clean(filepath.ToSlash(e.name)), filepath.ToSlash(file))
	return ok && err == nil
}

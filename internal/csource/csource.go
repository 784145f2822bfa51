// Package csource has what all C files need that the command writes: names that C allows, and
// comments that no name in them can end.
package csource

import (
	"path/filepath"
	"strings"
)

// Identifier makes a C identifier of a path's base name. None that C or C++ reserve
// come out: they begin with a letter and have no two underscores in a row.
func Identifier(path string, letters func(string) string) string {
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if _, network, ok := strings.Cut(path, "builtin:"); ok {
		base = network
	}
	words := strings.FieldsFunc(base, func(r rune) bool { return !IsWord(r) })
	name := strings.Join(words, "_")
	if name == "" || name == "stdin" || name[0] >= '0' && name[0] <= '9' {
		name = strings.TrimSuffix("model_"+strings.TrimPrefix(name, "stdin"), "_")
	}
	return letters(name)
}

// IsWord reports whether C allows a character everywhere in a name; an underscore is left out.
func IsWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// Wrap breaks a text into lines of no more than 90 characters where it has blanks,
// each word after a blank or the line break.
func Wrap(text, lineBreak string) string {
	const width = 90
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		if column += 1 + len(word); i > 0 && column > width {
			b.WriteString(lineBreak)
			column = 1 + len(word)
		}
		b.WriteString(" " + word)
	}
	return b.String()
}

// Comment makes a name fit for a comment, which nothing in it may end or continue.
func Comment(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`*\?`, r) {
			return '_'
		}
		return r
	}, s)
}

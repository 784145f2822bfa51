// Package csource has the common parts of the C files that the command writes: valid C names, and
// comments that no name in them can end.
package csource

import (
	"path/filepath"
	"strings"
)

// Identifier makes a C identifier from a path's base name. It is never reserved in C or C++: it begins
// with a letter and has no two underscores in a row.
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

// IsWord reports whether C allows a character anywhere in a name, except for the underscore.
func IsWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// Block returns a comment of a text, after which a line of C may follow. It replaces characters as
// [Comment] does.
func Block(text string) string { return "/*" + Wrap(Comment(text)) + " */\n" }

// Wrap breaks a text in a comment at spaces into lines of at most 90 characters, each of which begins with
// an asterisk. Each word follows a space.
func Wrap(text string) string {
	const width = 90
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		if column += 1 + len(word); i > 0 && column > width {
			b.WriteString("\n *")
			column = 1 + len(word)
		}
		b.WriteString(" " + word)
	}
	return b.String()
}

// Comment replaces characters of a name that could end or continue a comment, or are not ASCII.
func Comment(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`*\?`, r) {
			return '_'
		}
		return r
	}, s)
}

package tables

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
)

// Wrap breaks a text between words into lines of at most width characters on screen, each line but the
// first with an indent of spaces. Before is the number of characters before the text on its first line.
// A word that is longer than a line stays whole, so that a path can be copied; colours have no width. A
// width of 0 means no limit.
func Wrap(s string, width, before, indent int) string {
	if width <= 0 || before+text.StringWidthWithoutEscSequences(s) <= width {
		return s
	}
	var b strings.Builder
	column, empty := before, true
	for _, word := range words(s) {
		n := text.StringWidthWithoutEscSequences(word)
		switch {
		case empty:
		case column+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column, empty = column+n, false
	}
	return b.String()
}

// words splits a text at its spaces, but not between a number and its unit, nor between the sign of an
// operator or a tensor and its index.
func words(s string) []string {
	var list []string
	glue := false
	for _, word := range strings.Split(s, " ") {
		if n := len(list); n > 0 && (glue || isUnit(word)) {
			list[n-1] += " " + word
		} else {
			list = append(list, word)
		}
		glue = word == "Op#" || word == "T#"
	}
	return list
}

// isUnit reports whether a word is a unit, with any following punctuation or colour.
func isUnit(word string) bool {
	for _, unit := range []string{"B", "KiB", "MiB", "GiB", "TiB", "%"} {
		if rest, ok := strings.CutPrefix(word, unit); ok && (rest == "" || strings.ContainsAny(rest[:1], ",.;:)\x1b")) {
			return true
		}
	}
	return false
}

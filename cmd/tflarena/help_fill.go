package main

import "strings"

// helpWidth is how many characters a line of help has at most.
const helpWidth = 80

// tied is a blank at which no line ends.
const tied = "\u00a0"

// filled breaks a text where it has blanks, into lines of [helpWidth] that begin with an indent;
// the first line begins after it.
func filled(text string, indent int) string {
	var b strings.Builder
	column := indent
	for i, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' }) {
		word = strings.ReplaceAll(word, tied, " ")
		switch {
		case i > 0 && column+1+len(word) > helpWidth:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		case i > 0:
			b.WriteString(" ")
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}

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

// paragraphs breaks running text as [filled] does, each paragraph by itself. Lines that begin
// with a blank stay as they are: they are lists and examples, laid out by hand.
func paragraphs(text string, indent int) string {
	var out, running []string
	margin := strings.Repeat(" ", indent)
	flush := func() {
		if len(running) > 0 {
			out = append(out, margin+filled(strings.Join(running, " "), indent))
		}
		running = nil
	}
	for _, line := range strings.Split(text, "\n") {
		switch {
		case line == "":
			flush()
			out = append(out, "")
		case strings.HasPrefix(line, " "):
			flush()
			out = append(out, margin+line)
		default:
			running = append(running, line)
		}
	}
	flush()
	return strings.Join(out, "\n")
}

package main

import "strings"

// helpWidth is the largest number of characters of a line of help.
const helpWidth = 80

// noBreakSpace is a no-break space.
const noBreakSpace = "\u00a0"

// wrapped wraps a text at spaces into lines of [helpWidth] with an indent; the first line begins after
// the indent.
func wrapped(text string, indent int) string {
	var b strings.Builder
	column := indent
	for i, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' }) {
		word = strings.ReplaceAll(word, noBreakSpace, " ")
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

// paragraphs wraps each paragraph of a text as [wrapped] does. Lines that begin with a space stay
// unchanged: they are lists and examples with manual layout.
func paragraphs(text string, indent int) string {
	var out, running []string
	margin := strings.Repeat(" ", indent)
	flush := func() {
		if len(running) > 0 {
			out = append(out, margin+wrapped(strings.Join(running, " "), indent))
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

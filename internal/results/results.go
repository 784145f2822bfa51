// Package results holds the results of commands as plain values: the fields of their JSON, and the
// tables and sentences that people read. It derives nothing that a library package could.
package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/terminal"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// scalars matches a list of integers or IDs in indented JSON, such as a shape. JSON strings contain no
// line breaks.
var scalars = regexp.MustCompile(`\[\n\s+(?:-?\d+|"[\d:]*")(?:,\n\s+(?:-?\d+|"[\d:]*"))*\n\s+\]`)

// lineBreak matches a line break in such a list.
var lineBreak = regexp.MustCompile(`(,?)\n\s+`)

// JSON returns v as indented JSON that ends in a newline, with shapes and lists of IDs on one line.
// Names are written without HTML escapes.
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("write JSON: %w", err)
	}
	return scalars.ReplaceAllFunc(b.Bytes(), func(list []byte) []byte {
		list = lineBreak.ReplaceAll(list, []byte("$1 "))
		return append(append([]byte("["), bytes.TrimSpace(list[1:len(list)-1])...), ']')
	}), nil
}

// A Style is the style of results for people.
type Style struct {
	tables.Layout
	Paint terminal.Palette
	// Markdown writes tables as Markdown instead of aligned text.
	Markdown bool
	// Top is the number of rows that long tables are cut to; 0 means all rows.
	Top int
	// Details shows the report of each of several models below what sums them up.
	Details bool
	// AllOperators keeps every row of the operator table whatever Top is.
	AllOperators bool
}

// AsMarkdown returns s for a Markdown page: without colours and with whole names.
func (s Style) AsMarkdown() Style {
	s.Markdown, s.Paint, s.Width = true, terminal.NewPalette(false), 0
	return s
}

// bytes writes a byte count for a sentence.
func (s Style) bytes(n int64) string {
	if s.Plain {
		return fmt.Sprint(n)
	}
	return units.Bytes(n)
}

// short writes a byte count next to others of its size.
func (s Style) short(n int64) string {
	if s.Plain {
		return fmt.Sprint(n)
	}
	return units.Number(n) + " B"
}

// exact writes a byte count for a cell whose column has its own unit.
func (s Style) exact(n int64) string {
	if s.Plain {
		return fmt.Sprint(n)
	}
	return units.Number(n)
}

// optimal states whether a total is proven optimal, and why or how far it may be from the optimum.
func (s Style) optimal(proven bool, proof string, total, bound int64) string {
	if proven {
		return s.Paint.Good("yes") + ", " + proof
	}
	gap := total - bound
	return fmt.Sprintf("not proven, %s or %s above the lower bound", units.Percent(gap, bound), s.bytes(gap))
}

// table writes a table in the style, below a title.
func (s Style) table(b *strings.Builder, title string, t *tables.Table) {
	if s.Markdown {
		fmt.Fprintf(b, "\n## %s\n\n%s", tables.Markdown(title), t.Markdown(s.Layout))
		return
	}
	title = tables.Printable(title)
	fmt.Fprintf(b, "\n%s\n", s.Paint.Strong(tables.Wrap(title, s.Width, 0, indentTitle)))
	b.WriteString(t.Text(s.Layout))
}

const (
	indentTitle = 2
	indentLine  = 14 // the label of a line, and a space
)

// line writes "label: text", aligned with neighbouring lines and wrapped between words; Markdown gets a
// list item. Names in the text are escaped for terminals and Markdown.
func (s Style) line(b *strings.Builder, label, text string) {
	if s.Markdown {
		fmt.Fprintf(b, "- **%s:** %s\n", label, tables.Markdown(text))
		return
	}
	text = s.Paint.Between(text, tables.Printable)
	before := max(len(label)+2, indentLine)
	fmt.Fprintf(b, "%-13s %s\n", label+":", tables.Wrap(text, s.Width, before, indentLine))
}

// Next returns the line with the next command, or "" without one. It is never wrapped, so that the command can be
// copied.
func (s Style) Next(command string) string {
	switch command = tables.Printable(command); {
	case command == "":
		return ""
	case s.Markdown:
		return "- **next:** " + code(command) + "\n"
	}
	return fmt.Sprintf("%-13s %s\n", "next:", command)
}

// code returns text as code in Markdown, between more backticks than it contains in a row.
func code(text string) string {
	marks := "`"
	for strings.Contains(text, marks) {
		marks += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return marks + text + marks
}

// naive returns the bytes of records without any sharing.
func naive(a alloc.Approach, records []lifetime.Record) int64 {
	if a == alloc.Shared {
		return lifetime.Sum(records)
	}
	return lifetime.Naive(records)
}

// count returns "1 tensor" or "3 tensors".
//
//go:noinline
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return units.Number(int64(n)) + " " + noun + "s"
}

// present returns list, or an empty one for nil: JSON arrays are never null.
func present[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

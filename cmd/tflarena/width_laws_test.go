package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/exp/slices"
)

var (
	// label starts a value or a verdict, which may be wrapped.
	label = regexp.MustCompile(`^([^: ]+ )*[^: ]+: +`)
	// columns are apart by two blanks or more.
	columns = regexp.MustCompile(`\S {2,}\S`)
	// cell is the text of one column in a line.
	cell = regexp.MustCompile(`\S+( \S+)*`)
	// summary is a row for the others, which may have a name alone.
	summary = regexp.MustCompile(`^ *\([0-9,]+ others?\)$`)
	// omission is the note below a table from which columns are left out.
	omission = regexp.MustCompile(`(?s)\([0-9]+ columns?\s[^)]*--wide[^)]*\)`)
	// mapped is a line of a memory map, which is as wide as the window.
	mapped = regexp.MustCompile(`^ *(|[0-9.,]+ [KMG]?i?B) [|+][^|]*$`)
	// figure is a whole number or the name of a tensor or operator.
	figure = regexp.MustCompile(`^[0-9][0-9,:]*$`)
)

// A printedText is what a command prints, divided into prose and tables.
type printedText struct {
	lines   []string
	prose   []string        // the words outside tables
	tables  [][]string      // the lines of each table
	cells   map[string]bool // the words in tables
	omitted bool            // whether columns are left out
}

// takeApart divides what a command prints.
func takeApart(printed string) (p printedText) {
	p.lines, p.cells = strings.Split(printed, "\n"), map[string]bool{}
	p.omitted = omission.MatchString(printed)
	var table []string
	for _, line := range append(strings.Split(omission.ReplaceAllString(printed, ""), "\n"), "") {
		switch {
		case mapped.MatchString(line):
		case summary.MatchString(line), columns.MatchString(strings.TrimLeft(label.ReplaceAllString(line, ""), " ")):
			table = append(table, line)
			for _, word := range strings.Fields(line) {
				p.cells[word] = true
			}
			continue
		default:
			p.prose = append(p.prose, strings.Fields(line)...)
		}
		if table != nil {
			p.tables, table = append(p.tables, table), nil
		}
	}
	return p
}

// wrong returns the laws that the text of a width breaks beside that of the greatest width: lines
// are no wider than the window, but for a command to be copied; no word outside tables is cut off or
// new; tables have all rows, all whole numbers unless a note says that columns are left out, nothing
// new but names cut in the middle, of which those of models stay different, and cells below each other.
func (p printedText) wrong(narrow string, width int) (laws []string) {
	n := takeApart(narrow)
	for _, line := range n.lines {
		if w := text.StringWidth(line); w > width && !strings.HasPrefix(line, "next: ") {
			laws = append(laws, fmt.Sprintf("a line is %d wide: %s", w, line))
		}
	}
	left := p.prose
	for _, word := range n.prose {
		if len(left) > 0 && left[0] == word {
			left = left[1:]
		}
		if !slices.Contains(p.prose, word) {
			laws = append(laws, "a word that is new at this width: "+word)
		}
	}
	if len(left) > 0 {
		laws = append(laws, fmt.Sprintf("cut off from %q", strings.Join(left[:min(len(left), 10)], " ")))
	}
	for word := range n.cells {
		if !p.cells[word] && !p.elides(word) {
			laws = append(laws, "a cell that is new at this width: "+word)
		}
	}
	for word := range p.cells {
		if !n.cells[word] && !n.omitted && figure.MatchString(word) {
			laws = append(laws, "a figure is missing: "+word)
		}
	}
	if n.models() < p.models() {
		laws = append(laws, fmt.Sprintf("%d names of models, not %d", n.models(), p.models()))
	}
	if rowCount(n.tables) < rowCount(p.tables) {
		laws = append(laws, fmt.Sprintf("%d rows, not %d", rowCount(n.tables), rowCount(p.tables)))
	}
	for _, table := range n.tables {
		column := columnOf(table)
		for _, row := range table {
			in := map[int]bool{}
			cells := cell.FindAllStringIndex(row, -1)
			for _, c := range cells {
				in[column[utf8.RuneCountInString(row[:c[0]])]] = true
			}
			if len(in) < len(cells) {
				laws = append(laws, "two cells in one column: "+row)
			}
		}
	}
	return laws
}

// elides reports whether a word is one of the texts with parts of its middle cut out.
func (p printedText) elides(word string) bool {
	pieces := strings.Split(word, "…")
	for i, piece := range pieces {
		pieces[i] = regexp.QuoteMeta(piece)
	}
	cut := regexp.MustCompile("^" + strings.Join(pieces, ".*") + "$")
	for whole := range p.cells {
		if len(pieces) > 1 && cut.MatchString(whole) {
			return true
		}
	}
	return false
}

// models counts the names of model files, whole or cut.
func (p printedText) models() (n int) {
	for word := range p.cells {
		if strings.HasSuffix(word, "ite") && (strings.HasSuffix(word, ".tflite") || strings.Contains(word, "…")) {
			n++
		}
	}
	return n
}

func rowCount(tables [][]string) (n int) {
	for _, table := range tables {
		n += len(table)
	}
	return n
}

// columnOf returns the column of each place in the lines of a table. Columns are what places that are
// blank in all lines keep apart, two or more of them.
func columnOf(table []string) (column []int) {
	var used []bool
	for _, row := range table {
		for i, r := range []rune(row) {
			if i == len(used) {
				used = append(used, false)
			}
			used[i] = used[i] || r != ' '
		}
	}
	n, blanks := 0, 2
	for _, u := range used {
		if u && blanks >= 2 {
			n++
		}
		if blanks++; u {
			blanks = 0
		}
		column = append(column, n)
	}
	return column
}

// TestWidthLaws breaks each law.
func TestWidthLaws(t *testing.T) {
	const wide = "head:  516,096 B by auto\nnote:  kernels of a library\n\nname        size (B)     KiB  first\na/b/c/d/e    344,064  336.00      0\nf                 48    0.05      1\n"
	for _, c := range []struct {
		what, narrow string
		width        int
		wrong        bool
	}{
		{"nothing", wide, 60, false},
		{"wrapped", strings.Replace(wide, "of a", "of\n       a", 1), 60, false},
		{"unscaled", "head:  516,096 B by auto\nnote:  kernels of a library\n\nname   size (B)  first\na/b…e   344,064      0\nf            48      1\n", 60, false},
		{"left out", "head:  516,096 B by auto\nnote:  kernels of a library\n\nname   size (B)\na/b…e   344,064\nf            48\n(1 column is left\n out; --wide has it)\n", 60, false},
		{"too wide", wide, 30, true},
		{"cut off", strings.Replace(wide, " library", "", 1), 60, true},
		{"another word", strings.Replace(wide, "library", "librar…", 1), 60, true},
		{"another figure", strings.Replace(wide, "344,064", "344,0…", 1), 60, true},
		{"alike", "a….tflite  1\na….tflite  2\n", 60, true},
		{"a row less", strings.Replace(wide, "f                 48    0.05      1\n", "", 1), 60, true},
		{"a column less", "head:  516,096 B by auto\nnote:  kernels of a library\n\nname        first\na/b/c/d/e       0\nf               1\n", 60, true},
		{"not aligned", strings.Replace(wide, "f                 48    0.05", "f  48                   0.05", 1), 60, true},
	} {
		whole := wide
		if c.what == "alike" {
			whole = "ab.tflite  1\nac.tflite  2\n"
		}
		if got := takeApart(whole).wrong(c.narrow, c.width); (len(got) > 0) != c.wrong {
			t.Errorf("%s: %q", c.what, got)
		}
	}
}

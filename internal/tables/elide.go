package tables

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/text"
)

const gap = 2 // blanks between columns

// fit shortens the names until the lines fit the width, but never below what a
// name needs to be told apart. Numbers stay whole.
func (g *grid) fit(width int) {
	const least = 16
	widths := make([]int, len(g.heads))
	total := -gap
	for i := range g.heads {
		widths[i] = g.columnWidth(i)
		total += widths[i] + gap
	}
	for total > width {
		widest := -1
		for i, w := range widths {
			if g.elide[i] && w > least && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
		total--
	}
	for i := range g.heads {
		if !g.elide[i] {
			continue
		}
		for _, row := range g.rows {
			row[i] = Elide(row[i], widths[i])
		}
	}
}

func (g *grid) columnWidth(column int) int {
	width := text.StringWidth(g.heads[column])
	for _, row := range g.rows {
		width = max(width, text.StringWidth(row[column]))
	}
	return width
}

// Elide returns s cut in the middle to at most width characters on screen. The end
// gets more than the beginning, because tensor names differ at their ends.
func Elide(s string, width int) string {
	if text.StringWidth(s) <= width {
		return s
	}
	if width < 2 {
		return text.Trim(s, max(width, 0))
	}
	head := text.Trim(s, (width-1)/3)
	room := width - 1 - text.StringWidth(head)
	tail := s
	for text.StringWidth(tail) > room {
		_, n := utf8.DecodeRuneInString(tail)
		tail = tail[n:]
	}
	return head + "…" + tail
}

// Printable returns s with what a terminal would obey, rather than show, written as
// an escape: a name out of a hostile file must not move the cursor.
func Printable(s string) string {
	if strings.IndexFunc(s, unprintable) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if unprintable(r) || r == utf8.RuneError && n == 1 {
			quoted := strconv.QuoteToASCII(s[i : i+n])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

func unprintable(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }

package tables

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/text"
)

// Elide returns s cut in the middle to at most width characters on screen. The end
// gets more than the beginning, because tensor names differ at their ends. A name
// out of a hostile file may have any length: no more of it is looked at than can be
// shown, and one of far more bytes than characters is cut even where it would fit.
func Elide(s string, width int) string {
	width = max(width, 0)
	if len(s) <= reach(width) && text.StringWidth(s) <= width {
		return s
	}
	if width < 2 {
		return head(s, width)
	}
	start := head(s, (width-1)/3)
	return start + "…" + tail(s[len(start):], width-1-text.StringWidth(start))
}

// reach is the number of bytes that are looked at for a number of characters: many
// characters of no width can stand between those that have one.
func reach(width int) int {
	const perCharacter, least = 16, 256
	return least + perCharacter*min(width, math.MaxInt32/perCharacter)
}

// head returns as much of the beginning of s as fits.
func head(s string, width int) string {
	n, most := 0, min(reach(width), len(s))
	for n < most {
		r, size := utf8.DecodeRuneInString(s[n:])
		if width -= text.RuneWidth(r); width < 0 || n+size > most {
			break
		}
		n += size
	}
	return s[:n]
}

// tail returns as much of the end of s as fits.
func tail(s string, width int) string {
	n, least := len(s), max(len(s)-reach(width), 0)
	for n > least {
		r, size := utf8.DecodeLastRuneInString(s[:n])
		if width -= text.RuneWidth(r); width < 0 || n-size < least {
			break
		}
		n -= size
	}
	return s[n:]
}

// Printable returns s with everything that a terminal would obey, rather than show, written
// as an escape: a name in a hostile file must not move the cursor.
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

// Markdown returns s so that Markdown shows it as it is: no emphasis, code, link or HTML. Bars, which end a
// cell, are left to who writes the table, and underscores within words have no meaning.
func Markdown(s string) string { return marks.Replace(Printable(s)) }

var marks = strings.NewReplacer(`\`, `\\`, "*", `\*`, "`", "\\`", "<", `\<`, "[", `\[`, "&", `\&`)

func unprintable(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }

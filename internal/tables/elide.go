package tables

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/text"
)

// Elide cuts s in the middle to at most width characters on screen. The end gets more than the
// beginning, because tensor names differ at their ends. A name from a hostile file may have any length:
// only as much as can be shown is examined, and a name of far more bytes than characters is cut even if
// it would fit.
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

// ElideAll is [Elide] for names that are listed together. Different names that would look alike show the place from
// which on they differ.
func ElideAll(names []string, width int) []string {
	const most = 8 // rounds: names may look like others then
	shown := make([]string, len(names))
	for i, name := range names {
		shown[i] = Elide(name, width)
	}
	for range most {
		alike := map[string][]int{}
		for i, s := range shown {
			alike[s] = append(alike[s], i)
		}
		changed := false
		for _, group := range alike {
			changed = tellApart(names, shown, group, width) || changed
		}
		if !changed {
			break
		}
	}
	return shown
}

// tellApart shows the names of a group from the first place at which they differ. It reports whether that is a change.
func tellApart(names, shown []string, group []int, width int) (changed bool) {
	common, longest := names[group[0]], 0
	for _, i := range group {
		common, longest = commonStart(common, names[i]), max(longest, len(names[i]))
	}
	if len(common) == longest {
		return false // all are the same
	}
	for _, i := range group {
		s := elideAround(names[i], len(common), width)
		changed, shown[i] = changed || s != shown[i], s
	}
	return changed
}

// commonStart returns the longest common beginning of two texts, in whole characters.
func commonStart(a, b string) string {
	n := 0
	for n < len(a) {
		_, size := utf8.DecodeRuneInString(a[n:])
		if !strings.HasPrefix(b[n:], a[n:n+size]) {
			break
		}
		n += size
	}
	return a[:n]
}

// elideAround is [Elide] that shows the characters from a byte on, and both ends.
func elideAround(s string, from, width int) string {
	end := max(width-2, 0) / 4
	if start := head(s, width-1-end); from < len(start) {
		return start + "…" + tail(s[len(start):], end)
	}
	start := head(s, end)
	if rest := tail(s[len(start):], width-1-text.StringWidth(start)); from > len(s)-len(rest) {
		return start + "…" + rest
	}
	middle := head(s[from:], width-2-text.StringWidth(start)-end)
	return start + "…" + middle + "…" + tail(s[from+len(middle):], end)
}

// reach is the number of bytes that are examined for a number of characters, which allows for many
// zero-width characters.
func reach(width int) int {
	const perCharacter, least = 16, 256
	return least + perCharacter*min(width, math.MaxInt32/perCharacter)
}

// head returns the longest beginning of s that fits.
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

// tail returns the longest end of s that fits.
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

// Printable returns s with control sequences of terminals escaped: a name in a hostile file must not
// move the cursor.
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

// Markdown escapes s for Markdown: no emphasis, code, link or HTML. The writer of a table escapes bars,
// which end a cell; underscores within words have no meaning.
func Markdown(s string) string { return marks.Replace(Printable(s)) }

var marks = strings.NewReplacer(`\`, `\\`, "*", `\*`, "`", "\\`", "<", `\<`, "[", `\[`, "&", `\&`)

func unprintable(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }

package golden

import (
	"regexp"
	"strings"
)

// Like compares a text with a pattern in which "..." matches any words within a line. It returns the
// first differing lines, empty if none differ.
func Like(want, got string) (diff string) {
	for {
		line, rest, more := strings.Cut(want, "\n")
		gotLine, gotRest, gotMore := strings.Cut(got, "\n")
		pattern := strings.ReplaceAll(regexp.QuoteMeta(line), `\.\.\.`, ".*")
		if more != gotMore || !regexp.MustCompile("^"+pattern+"$").MatchString(gotLine) {
			return "-" + line + "\n+" + gotLine
		}
		if !more {
			return ""
		}
		want, got = rest, gotRest
	}
}

package problem

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// gaps reads the gaps of r, whose lifetime and size are known: texts separated by spaces, as "5-8", a
// time at which the buffer holds nothing, or "5-8@0:64", one at which it holds only its bytes [0, 64).
func (c *cellReader) gaps(r lifetime.Record) []lifetime.Gap {
	var gaps []lifetime.Gap
	for text := range strings.FieldsSeq(c.text(fieldGaps)) {
		gaps = append(gaps, c.gap(r, text))
	}
	slices.SortStableFunc(gaps, func(a, b lifetime.Gap) int { return cmp.Compare(a.First, b.First) })
	for k := 1; k < len(gaps); k++ {
		last, next := gaps[k-1], gaps[k]
		c.check(last.Last < next.First, fieldGaps, "the gaps that begin at %d and %d overlap", last.First, next.First)
	}
	return gaps
}

func (c *cellReader) gap(r lifetime.Record, text string) lifetime.Gap {
	time, bytes, windowed := strings.Cut(text, "@")
	first, last, ok := wholePair(time, "-")
	lo, hi := int64(0), int64(0)
	if windowed {
		var both bool
		lo, hi, both = wholePair(bytes, ":")
		ok = ok && both
	}
	c.check(ok, fieldGaps, "%q is not a gap: write FROM-TO or FROM-TO@LOW:HIGH, with whole numbers", text)
	if c.has(fieldUpper) && last > math.MinInt64 {
		last-- // half-open, like the lifetime
	}
	c.check(first <= last, fieldGaps, "the gap %q is empty", text)
	c.check(int64(r.First) <= first && last <= int64(r.Last), fieldGaps, "the gap %q is not within the buffer's life %s", text, c.life(r))
	c.check(0 <= lo && lo <= hi && hi <= r.Size, fieldGaps, "the gap %q holds bytes that are not within the buffer's %d", text, r.Size)
	return lifetime.Gap{First: int(first), Last: int(last), Lo: lo, Hi: hi}
}

// life returns a record's lifetime as in the file.
func (c *cellReader) life(r lifetime.Record) string {
	if c.has(fieldUpper) {
		return fmt.Sprintf("[%d, %d)", r.First, r.Last+1)
	}
	return fmt.Sprintf("%d to %d", r.First, r.Last)
}

// wholePair reads two integers. Either may have a sign, so the separator is searched from the second
// character.
func wholePair(text, separator string) (a, b int64, ok bool) {
	if text == "" {
		return 0, 0, false
	}
	from, to, _ := strings.Cut(text[1:], separator)
	a, errA := strconv.ParseInt(text[:1]+from, 10, 64)
	b, errB := strconv.ParseInt(to, 10, 64)
	return a, b, errA == nil && errB == nil
}

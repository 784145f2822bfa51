// Package units writes byte counts for people, and reads them back. Text has exact bytes with commas
// and one binary scale; programs get plain integers. Only the binary units B, KiB, MiB, GiB and TiB are
// written. K and KB are accepted, and mean KiB, since arenas are never counted in thousands.
package units

import (
	"fmt"
	"strconv"
	"strings"
)

// A Scale is a binary unit that a column of byte counts is written in.
type Scale struct {
	// Unit is "B", "KiB", "MiB", "GiB" or "TiB".
	Unit string
	// Bytes is the number of bytes in one unit.
	Bytes int64
}

// scales are all units, smallest first.
var scales = []Scale{{"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}}

// MiB is the scale of the papers' tables, which print it as "MB".
var MiB = scales[2]

// CommonScale returns the scale for a column: the unit of its largest value, so that all rows of a
// column have the same unit.
func CommonScale(values ...int64) Scale {
	var most int64
	for _, v := range values {
		most = max(most, v, -v)
	}
	best := scales[0]
	for _, s := range scales {
		if most >= s.Bytes {
			best = s
		}
	}
	return best
}

// Format returns bytes in the scale without its unit and with the given number of decimals, and with
// commas between thousands; whole bytes have no decimals.
func (s Scale) Format(bytes int64, decimals int) string {
	if s.Bytes == 1 {
		return Number(bytes)
	}
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(float64(bytes)/float64(s.Bytes), 'f', decimals, 64), ".")
	if n, err := strconv.ParseInt(whole, 10, 64); err == nil && (n >= 1000 || n <= -1000) {
		whole = Number(n)
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// Bytes returns a byte count for a sentence, such as "36,864 B (36.00 KiB)". Below one KiB the
// redundant parentheses are omitted.
func Bytes(n int64) string {
	s := CommonScale(n)
	if s.Bytes == 1 {
		return Number(n) + " B"
	}
	return fmt.Sprintf("%s B (%s %s)", Number(n), s.Format(n, 2), s.Unit)
}

// Percent returns part of whole in percent with one decimal, such as "25.0 %", and "0.0 %" if whole is
// zero. From 1,000 % on it has commas.
func Percent(part, whole int64) string {
	if whole == 0 {
		return "0.0 %"
	}
	text := fmt.Sprintf("%.1f", 100*float64(part)/float64(whole))
	digits, tenth, _ := strings.Cut(text, ".")
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil && (n >= 1000 || n <= -1000) {
		text = Number(n) + "." + tenth
	}
	return text + " %"
}

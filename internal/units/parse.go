package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Parse reads a byte count that a person wrote: a whole number of bytes, or a
// number with one of the units B, KiB, MiB, GiB and TiB, such as "131072", "128KiB"
// or "1.5 MiB". The result is not negative and is exact: a fraction of a byte is an
// error, and so are units of 1000 or of unsaid size ("KB", "K").
func Parse(text string) (int64, error) {
	s := strings.TrimSpace(text)
	digits := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	scale, err := parseUnit(s[len(digits):])
	if err != nil {
		return 0, fmt.Errorf("size %q: %w", text, err)
	}
	n, err := parseNumber(strings.TrimSpace(digits), scale.Bytes)
	if err != nil {
		return 0, fmt.Errorf("size %q: %w", text, err)
	}
	return n, nil
}

func parseUnit(unit string) (Scale, error) {
	if unit == "" {
		return scales[0], nil
	}
	for _, s := range scales {
		if strings.EqualFold(unit, s.Unit) {
			return s, nil
		}
	}
	return Scale{}, fmt.Errorf("unknown unit %q: use B, KiB, MiB, GiB or TiB", unit)
}

// parseNumber multiplies decimal digits by unit without rounding them.
func parseNumber(digits string, unit int64) (int64, error) {
	whole, fraction, _ := strings.Cut(digits, ".")
	n, err := strconv.ParseUint(whole, 10, 63)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number of bytes below 2^63", digits)
	}
	if n > uint64(math.MaxInt64/unit) {
		return 0, fmt.Errorf("larger than 2^63-1 bytes")
	}
	rest, err := parseFraction(fraction, unit)
	if err != nil {
		return 0, err
	}
	if total := int64(n)*unit + rest; total >= 0 {
		return total, nil
	}
	return 0, fmt.Errorf("larger than 2^63-1 bytes")
}

// parseFraction returns unit times 0.fraction. Six digits times the largest unit,
// 2^40, stay inside an int64; nobody writes more.
func parseFraction(fraction string, unit int64) (int64, error) {
	if fraction == "" {
		return 0, nil
	}
	f, err := strconv.ParseUint(fraction, 10, 63)
	if err != nil || len(fraction) > 6 {
		return 0, fmt.Errorf("%q is not a fraction of up to six digits", fraction)
	}
	power := int64(math.Pow10(len(fraction)))
	if int64(f)*unit%power != 0 {
		return 0, fmt.Errorf("not a whole number of bytes")
	}
	return int64(f) * unit / power, nil
}

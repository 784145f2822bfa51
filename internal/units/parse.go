package units

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Parse reads a byte count: an integer such as "65536" or "65536B", or a number with a unit, such as
// "64K", "64kB", "64 KiB" or "1.5MiB". Units are case-insensitive, and K, KB and KiB all mean 1024
// bytes, as in the memory map of a microcontroller; M, G and T follow. The number may be written as
// 1.5e6. Commas between thousands are allowed, as [Number] writes them. The result is not negative. A
// number with a unit is rounded down to whole bytes, so that people can copy sizes from tables. Without
// a unit, a fraction is an error.
func Parse(text string) (int64, error) {
	s := strings.TrimSpace(text)
	digits := strings.TrimRight(s, letters)
	if digits == "" {
		return 0, fmt.Errorf("size %q is not a number of bytes: write it as 65536, 64K or 64KiB", text)
	}
	scale, err := parseUnit(s[len(digits):])
	if err != nil {
		return 0, fmt.Errorf("size %q: %w", text, err)
	}
	n, err := parseNumber(withoutExponent(strings.TrimSpace(digits)), scale.Bytes)
	if err != nil {
		return 0, fmt.Errorf("size %q: %w", text, err)
	}
	return n, nil
}

// letters are the letters of units.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// parseUnit returns the scale of a unit: its whole name, its first letter, or that letter with a B.
func parseUnit(unit string) (Scale, error) {
	if unit == "" {
		return scales[0], nil
	}
	for _, s := range scales {
		short := strings.TrimSuffix(s.Unit, "iB") // "K" of "KiB"
		if strings.EqualFold(unit, s.Unit) || strings.EqualFold(unit, short) || s.Bytes > 1 && strings.EqualFold(unit, short+"B") {
			return s, nil
		}
	}
	return Scale{}, fmt.Errorf("unknown unit %q: use B, KiB, MiB, GiB or TiB, or K, M, G or T for short", unit)
}

// withoutCommas removes commas between thousands; others stay, and are no digits.
func withoutCommas(digits string) string {
	whole, fraction, point := strings.Cut(digits, ".")
	groups := strings.Split(whole, ",")
	for i, g := range groups {
		if i == 0 && (g == "" || len(g) > 3) || i > 0 && len(g) != 3 {
			return digits
		}
	}
	if whole = strings.Join(groups, ""); point {
		return whole + "." + fraction
	}
	return whole
}

// withoutExponent expands a number such as 1.5e3 to 1500. Any other text stays unchanged.
func withoutExponent(number string) string {
	mantissa, exponent, ok := strings.Cut(strings.ToLower(number), "e")
	if !ok {
		return withoutCommas(number)
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(exponent, "+"), 10, 8)
	whole, fraction, _ := strings.Cut(withoutCommas(mantissa), ".")
	if err != nil || !isDigits(whole) || fraction != "" && !isDigits(fraction) {
		return number
	}
	fraction += strings.Repeat("0", max(0, int(n)-len(fraction)))
	if rest := fraction[n:]; rest != "" {
		return whole + fraction[:n] + "." + rest
	}
	return whole + fraction[:n]
}

// isDigits reports whether a text is made of digits, at least one.
func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// parseNumber multiplies decimal digits by unit, rounded down to whole bytes.
func parseNumber(digits string, unit int64) (int64, error) {
	whole, fraction, _ := strings.Cut(digits, ".")
	n, err := strconv.ParseUint(whole, 10, 63)
	if errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("larger than 2^63-1 bytes")
	}
	if err != nil {
		return 0, fmt.Errorf("%q is not a number of bytes: write it as 65536, 64K or 64KiB", digits)
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

// parseFraction returns unit times 0.fraction, rounded down. Six digits times the largest unit, 2^40,
// fit an int64; further digits are not expected.
func parseFraction(fraction string, unit int64) (int64, error) {
	if fraction == "" {
		return 0, nil
	}
	f, err := strconv.ParseUint(fraction, 10, 63)
	if err != nil || len(fraction) > 6 {
		return 0, fmt.Errorf("%q is not a fraction of up to six digits", fraction)
	}
	power := int64(math.Pow10(len(fraction)))
	if unit == 1 && f != 0 {
		return 0, fmt.Errorf("not a whole number of bytes")
	}
	return int64(f) * unit / power, nil
}

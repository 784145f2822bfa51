package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// powers are the suffixes of numbers. Only bytes use powers of 1024.
var powers = map[string]float64{"": 1, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}

// ParseNumber reads a number that is no byte count, such as "30e9", "30G" or "30,000,000,000". Suffixes
// are case-insensitive; K, M, G and T are powers of 1000. The result is finite and not negative.
func ParseNumber(text string) (float64, error) {
	s := strings.TrimSpace(text)
	digits := strings.TrimRight(s, letters)
	power, known := powers[strings.ToUpper(s[len(digits):])]
	number := withoutCommas(strings.TrimSpace(digits))
	n, err := strconv.ParseFloat(number, 64)
	if n *= power; err != nil || strings.ContainsAny(number, "xXpP_") || !known || !(n >= 0) || math.IsInf(n, 1) {
		return 0, fmt.Errorf("%q is not a number: write it as 30e9, 30G or 30000000000", text)
	}
	return n, nil
}

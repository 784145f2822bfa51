package budget

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		text        string
		base, limit int64
		words       string
	}{
		{"2%", 1000, 1020, "2 %"},
		{"0.5 %", 1000, 1005, "0.5 %"},
		{"0.05%", 1000, 1000, "0.05 %"},
		{"0%", 7, 7, "0 %"},
		{"100%", 7, 14, "100 %"},
		{"1K", 7, 1031, "1,024 B (1.00 KiB)"},
		{"16", 0, 16, "16 B"},
		{"1000000%", math.MaxInt64, math.MaxInt64, "1000000 %"},
	} {
		g, err := ParseGrowth(c.text)
		if err != nil || g.Limit(c.base) != c.limit || g.String() != c.words {
			t.Errorf("%s: %v of %d: limit %d, %v", c.text, g, c.base, g.Limit(c.base), err)
		}
	}
	for _, text := range []string{"", "%", "-1%", "1e3%", "2 percent", "1.0000001%", "1000001%", "-5", ".5%"} {
		if g, err := ParseGrowth(text); err == nil {
			t.Errorf("%q: %v", text, g)
		}
	}
}

// TestGrowthIsExact compares limits with fractions: the limit is the most whole bytes within.
func TestGrowthIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.Int64Range(0, 1<<40).Draw(t, "base")
		percent := fmt.Sprintf("%d.%03d", rapid.IntRange(0, 300).Draw(t, "whole"), rapid.IntRange(0, 999).Draw(t, "thousandths"))
		g, err := ParseGrowth(percent + "%")
		if err != nil {
			t.Fatal(err)
		}
		part, _ := new(big.Rat).SetString(percent)
		exact := new(big.Rat).Mul(part.Quo(part, big.NewRat(100, 1)), new(big.Rat).SetInt64(base))
		exact.Add(exact, new(big.Rat).SetInt64(base))
		limit := new(big.Rat).SetInt64(g.Limit(base))
		if limit.Cmp(exact) > 0 || new(big.Rat).Add(limit, big.NewRat(1, 1)).Cmp(exact) <= 0 {
			t.Fatalf("%d and %s %%: %d", base, percent, g.Limit(base))
		}
	})
}

package results

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestTime: the estimate for the model and with extra work, in milliseconds or cycles.
func TestTime(t *testing.T) {
	for want, x := range map[string]*Time{
		"time:         about 57 ms at 240 MHz, was 54 ms (estimate, error not known, from 1 measurement)":   NewTime(240e3*54, 240, false, -1, 1, ""),
		"time:         about 1,600,000 cycles, was 1,500,000 cycles (estimate, ±19 %, from 4 measurements)": NewTime(1_530_000, 0, false, 0.181, 4, ""),
		"time:         about 0.053 ms, was 0.05 ms (estimate, ±120 %, from 2 measurements)":                 NewTime(0.05, 0, true, 1.2, 2, ""),
	} {
		var b strings.Builder
		x.line(Style{}, &b, 50, 1000)
		if got := strings.TrimSpace(b.String()); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	var b strings.Builder
	none := (*Time)(nil)
	if none.line(Style{}, &b, 1, 1); b.Len() > 0 || none.with(1, 1) != "" {
		t.Errorf("a time without an estimate: %q", b.String())
	}
}

// TestTimeIsPositive: no estimate is written as zero or, in usual sizes, with an exponent.
func TestTimeIsPositive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cost := rapid.Float64Range(1e-9, 1e15).Draw(t, "cost")
		x := NewTime(cost, rapid.IntRange(0, 600).Draw(t, "clock"), rapid.Bool().Draw(t, "ms"), 0.1, 2, "")
		if x.LatencyMS == 0 && x.Cycles == 0 {
			t.Skip("less than a cycle")
		}
		if text := x.with(0, 10); strings.HasPrefix(text, "0 ") || strings.HasPrefix(text, "-") || strings.Contains(text, "e") && x.LatencyMS >= 1e-4 && !strings.Contains(text, "cycles") {
			t.Fatalf("%v: %s", x, text)
		}
	})
}

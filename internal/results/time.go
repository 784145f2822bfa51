package results

import (
	"fmt"
	"math"
	"strings"

	"github.com/tflarena/tflarena/internal/units"
)

// A Time is the estimated time of one run of a model, from the cost of multiply-accumulates that was
// measured.
type Time struct {
	// Estimated time of one run with macs multiply-accumulates, in milliseconds. Others take a time in proportion. Absent if the clock is not known.
	LatencyMS float64 `json:"latency_ms,omitzero"`
	// The same in cycles of the clock. Absent with own measurements.
	Cycles int64 `json:"cycles,omitzero"`
	// Clock of the estimate in MHz. Absent if it is not known, and with own measurements.
	ClockMHz int `json:"clock_mhz,omitzero"`
	// Largest deviation of a measurement from the estimate by the others, in percent of the estimate. Absent with a single measurement.
	ErrorPercent *int64 `json:"error_percent,omitempty"`
	// Number of measurements behind the estimate.
	Measurements int `json:"measurement_count"`
	// What was measured: the core and the kernel library, or the file of own measurements.
	Source string `json:"source"`
}

// NewTime returns an estimate: milliseconds, or cycles at a clock in MHz, which is 0 if it is not known.
// A negative bound is not known, and others are fractions of the estimate.
func NewTime(cost float64, clock int, milliseconds bool, bound float64, measurements int, source string) *Time {
	t := &Time{ClockMHz: clock, Measurements: measurements, Source: source}
	switch {
	case milliseconds:
		t.LatencyMS = max(micro(cost), 1e-6)
	case clock > 0:
		t.LatencyMS = max(micro(cost/float64(clock)/1000), 1e-6)
		fallthrough
	default:
		t.Cycles = int64(min(cost, math.MaxInt64/2))
	}
	if bound >= 0 {
		percent := int64(math.Ceil(100*bound - 1e-6))
		t.ErrorPercent = &percent
	}
	return t
}

// micro rounds to six decimals.
func micro(x float64) float64 { return math.Round(x*1e6) / 1e6 }

// line writes the estimate for a run with more multiply-accumulates than the model's own.
func (t *Time) line(s Style, b *strings.Builder, more, own int64) {
	if t == nil {
		return
	}
	now, was := t.with(more, own), t.with(0, own)
	text := "about " + now
	if t.ClockMHz > 0 {
		text += fmt.Sprintf(" at %d MHz", t.ClockMHz)
	}
	if now != was {
		text += ", was " + was
	}
	bound := "error not known"
	if t.ErrorPercent != nil {
		bound = fmt.Sprintf("±%d %%", *t.ErrorPercent)
	}
	s.line(b, "time", fmt.Sprintf("%s (estimate, %s, from %s)", text, bound, count(t.Measurements, "measurement")))
}

// with returns the time with two significant digits, for a run with more multiply-accumulates than the
// model's own, or "" without an estimate.
func (t *Time) with(more, own int64) string {
	if t == nil {
		return ""
	}
	x, unit := t.LatencyMS, " ms"
	if x == 0 {
		x, unit = float64(t.Cycles), " cycles"
	}
	x *= 1 + float64(more)/float64(max(own, 1))
	step := math.Pow(10, math.Floor(math.Log10(max(x, 1e-6)))-1)
	if step >= 1 {
		return units.Number(int64(math.Round(x/step)*step)) + unit
	}
	return fmt.Sprintf("%.2g", x) + unit
}

package results

import (
	"fmt"
	"math"
	"strings"

	"github.com/tflarena/tflarena/internal/units"
)

// A Time is the estimated time of one run of a model, from the measured cost of a multiply-accumulate.
type Time struct {
	// Estimated time in milliseconds of one run with as many multiply-accumulates as macs says. More of them take longer in proportion. Absent if the clock is unknown.
	LatencyMS float64 `json:"latency_ms,omitzero"`
	// The same time in clock cycles. Absent with the user's measurements.
	Cycles int64 `json:"cycles,omitzero"`
	// Clock in MHz. Absent if it is unknown, and with the user's measurements.
	ClockMHz int `json:"clock_mhz,omitzero"`
	// Largest deviation of a measurement from the estimate by all others, in percent of that estimate. Absent with a single measurement.
	ErrorPercent *int64 `json:"error_percent,omitempty"`
	// Number of measurements behind the estimate.
	Measurements int `json:"measurement_count"`
	// What was measured: the core and the kernel library, or the file of the user's measurements.
	Source string `json:"source"`
}

// NewTime returns an estimate from a cost in milliseconds, or else in cycles of a clock in MHz, 0 if
// unknown. The bound is a fraction of the estimate, negative if unknown.
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

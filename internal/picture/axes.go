package picture

import "math"

// niceStep returns 1, 2 or 5 times a power of ten, so that at most count steps
// reach most.
func niceStep(most float64, count int) float64 {
	if most <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(most/float64(count))))
	for _, factor := range []float64{1, 2, 5} {
		if factor*power*float64(count) >= most {
			return factor * power
		}
	}
	return 10 * power
}

// round removes the rounding error of multiplying by a step such as 0.1.
func round(v float64) float64 { return math.Round(v*1e6) / 1e6 }

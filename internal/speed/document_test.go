package speed

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/golden"
)

var link = regexp.MustCompile(`https://\S*/([^/\s,]+)`)

// digits returns a number with three significant digits, and all before the point.
func digits(x float64) string {
	return fmt.Sprintf("%.*f", max(0, 2-int(math.Floor(math.Log10(x)))), x)
}

// TestDocument compares the tables of docs/speed.md with the measurements; -update writes them.
func TestDocument(t *testing.T) {
	var rates, runs strings.Builder
	rates.WriteString("\n| core | kernels | CONV_2D | DEPTHWISE_CONV_2D | FULLY_CONNECTED | error | measurements |\n|---|---|---|---|---|---|---|\n")
	runs.WriteString("\n| core | kernels | model | MHz | ms | estimate | source |\n|---|---|---|---|---|---|---|\n")
	last := published{}
	for i := range measured {
		p := &measured[i]
		r, list := Published(p.core, p.library), p.samples()
		if p.core != last.core || p.library != last.library {
			costs, bound := fmt.Sprintf("%.2f | %.2f | %.2f", r.Costs[0], r.Costs[1], r.Costs[2]), "not known"
			if list[0].whole || r.Measurements == 1 {
				costs = fmt.Sprintf("%.2f for all | | ", r.Costs[0])
			}
			if r.Bound >= 0 {
				bound = fmt.Sprintf("±%.0f %%", math.Ceil(100*r.Bound))
			}
			fmt.Fprintf(&rates, "| %s | `%s` | %s | %s | %d |\n", p.core, p.library, costs, bound, r.Measurements)
		}
		last = *p
		for k, x := range list {
			fmt.Fprintf(&runs, "| %s | `%s` | %s | %.0f | %s | %s | %s |\n", p.core, p.library, p.runs[k].model, p.megahertz, digits(p.runs[k].milliseconds),
				digits(x.estimate(r.Costs)/p.megahertz/1000), link.ReplaceAllString(p.source, "[$1]($0)"))
		}
	}
	path := filepath.Join("..", "..", "docs", "speed.md")
	golden.Section(t, path, "rates", rates.String()+"\n")
	golden.Section(t, path, "measurements", runs.String()+"\n")
}

package results

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/picture"
)

// MostCharts is the largest readable number of charts in a picture.
const MostCharts = 60

// Charts returns the number of charts in a picture of the comparison.
func (c *Comparison) Charts() int { return len(c.Results) }

// Picture returns a chart for each contest, with a bar for each strategy and the lower bound.
func (c *Comparison) Picture() *drawing.Page {
	bars := picture.Bars{Title: fmt.Sprintf("every strategy on %s, beside the lower bound", count(c.inputs(), "input"))}
	for _, r := range c.Results {
		chart := picture.Chart{Title: fmt.Sprintf("%s, %s: the %s", r.Input, r.Approach, c.figureOf([]Contest{r})), Bound: r.LowerBoundBytes}
		if r.Runtime != "" {
			chart.Title += " (" + r.Runtime + ")"
		}
		for _, e := range r.Strategies {
			if e.Strategy == naiveName {
				continue
			}
			chart.Bars = append(chart.Bars, picture.Bar{Name: e.Strategy, Bytes: e.TotalBytes, Problem: e.Problem, Best: e.Problem == "" && e.TotalBytes == r.BestBytes})
		}
		bars.Charts = append(bars.Charts, chart)
	}
	if c.TensorsAlone {
		bars.Below = append(bars.Below, "kernel scratch is not counted")
	}
	return bars.Page()
}

// inputs returns the number of inputs, which have one or two contests each.
func (c *Comparison) inputs() int {
	seen := map[string]bool{}
	for _, r := range c.Results {
		seen[r.Input] = true
	}
	return len(seen)
}

// Charts returns the number of charts in a picture of the tables.
func (p *PaperTables) Charts() (n int) {
	for _, t := range p.Tables {
		n += len(t.Networks)
	}
	return n
}

// A picture has no bar for the total without any plan, which would make the other bars look alike, and
// none for the lower bound of the tables.
const naiveName, paperBound = "naive", "lower-bound"

// Picture returns a chart for each network of each table.
func (p *PaperTables) Picture() *drawing.Page {
	bars := picture.Bars{Title: "the tables of Pisarchyk and Lee 2020, computed anew"}
	for _, t := range p.Tables {
		for i, network := range t.Networks {
			bars.Charts = append(bars.Charts, t.chart(i, network))
		}
	}
	return bars.Page()
}

func (t *PaperTable) chart(network int, name string) picture.Chart {
	c := picture.Chart{Title: name + ", " + string(t.Approach)}
	least := int64(0)
	for _, r := range t.Rows {
		total := r.TotalBytes[network]
		switch r.Name {
		case paperBound:
			c.Bound = total
			continue
		case naiveName:
			continue
		}
		if least == 0 || total < least {
			least = total
		}
		c.Bars = append(c.Bars, picture.Bar{Name: r.Name, Bytes: total})
	}
	for i := range c.Bars {
		c.Bars[i].Best = c.Bars[i].Bytes == least
	}
	return c
}

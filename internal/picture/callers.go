package picture

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/tables"
)

// callers assigns a colour to each name of a trace's records, and returns their legend: first those
// that hold the most bytes for the longest. Without names the legend is empty.
func (d *mapDrawing) callers() (list []key) {
	held := map[string]float64{}
	for _, r := range d.m.Records {
		held[r.Name] += float64(r.Size) * (float64(r.Last) - float64(r.First) + 1)
	}
	names := make([]string, 0, len(held))
	for name := range held {
		names = append(names, name)
	}
	if len(names) == 1 && names[0] == "" {
		return nil
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(held[b], held[a]), cmp.Compare(a, b)) })
	for i, name := range names {
		d.groups[name] = i
		words := tables.Printable(name)
		if name == "" {
			words = "(no stack recorded)"
		}
		list = append(list, key{fill: colour(i), words: words})
	}
	return list[:min(len(list), colours)]
}

// group returns the colour number of a record, which is common to records of a trace with the same
// name, if there are names.
func (d *mapDrawing) group(i int) int {
	if !d.m.Trace || len(d.groups) == 0 {
		return i
	}
	return d.groups[d.m.Records[i].Name]
}

package parts

import (
	"cmp"
	"context"
	"math"
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/rewrite/split"
)

// Path is a way through a model with its total cost: tiled stages, in order, and the unmodified operators
// between them.
type Path struct {
	Stages []split.Stage
	Cost   Cost
}

// weights are prices of a persistent byte in multiply-accumulates, in searches for the cheapest
// path.
var weights = []float64{0.001, 1, 10, 100, 1000, 1e5}

// Frontier returns the undominated paths from boundary 0 to boundary n, by falling peak: the
// cheapest below each peak that a part has. It sorts the parts by their ends. When ctx ends it
// returns the paths found so far.
func Frontier(ctx context.Context, parts []Part, n int) (list []Path) {
	sort.SliceStable(parts, func(i, j int) bool { return parts[i].To < parts[j].To })
	limits := make([]int64, len(parts))
	for k, p := range parts {
		limits[k] = p.Cost.Peak
	}
	slices.Sort(limits)
	limits = slices.Compact(limits)
	var within []*Part
	// reached is the peak of the last path for each weight: it stays the cheapest until the
	// limit falls below that.
	reached := make([]int64, len(weights))
	for i := range reached {
		reached[i] = math.MaxInt64
	}
	for k := len(limits) - 1; k >= 0; k-- {
		if slices.Max(reached) <= limits[k] {
			continue
		}
		if deadline.Err(ctx) != nil {
			break
		}
		within = within[:0]
		for i := range parts {
			if parts[i].Cost.Peak <= limits[k] {
				within = append(within, &parts[i])
			}
		}
		for i, weight := range weights {
			if reached[i] <= limits[k] {
				continue
			}
			p, ok := shortest(within, n, weight)
			if !ok {
				return undominated(list)
			}
			list, reached[i] = append(list, p), p.Cost.Peak
		}
	}
	return undominated(list)
}

// shortest returns the cheapest path; parts must be sorted by their ends.
func shortest(parts []*Part, n int, weight float64) (Path, bool) {
	price := make([]float64, n+1)
	via := make([]*Part, n+1)
	for i := range price {
		price[i] = math.Inf(1)
	}
	price[0] = 0
	for _, p := range parts {
		c := price[p.From] + float64(p.Cost.MACs) + weight*float64(max(p.Cost.Tail, 0))
		if c < price[p.To] {
			price[p.To], via[p.To] = c, p
		}
	}
	if math.IsInf(price[n], 1) {
		return Path{}, false
	}
	var p Path
	for at := n; at > 0; at = via[at].From {
		if s := via[at].Stage; s != nil {
			p.Stages = append(p.Stages, *s)
		}
		p.Cost = p.Cost.Plus(via[at].Cost)
	}
	slices.Reverse(p.Stages)
	return p, true
}

// undominated keeps the paths that no other one matches in all costs, by falling peak.
func undominated(list []Path) (kept []Path) {
	sort.SliceStable(list, func(i, j int) bool {
		c, d := &list[i].Cost, &list[j].Cost
		return cmp.Or(cmp.Compare(c.Peak, d.Peak), cmp.Compare(c.Sure, d.Sure), cmp.Compare(c.MACs, d.MACs), cmp.Compare(c.Tail, d.Tail)) < 0
	})
	for _, p := range list {
		if !slices.ContainsFunc(kept, func(q Path) bool { return q.Cost.Beats(p.Cost) }) {
			kept = append(kept, p)
		}
	}
	slices.Reverse(kept)
	return kept
}

// Path returns the path with some tiled stages, in order. The error is the reason why a stage cannot be
// computed.
func (r *Row) Path(stages []split.Stage) (Path, error) {
	list, err := r.parts(stages)
	p := Path{Stages: make([]split.Stage, 0, len(stages))}
	for _, part := range list {
		if part.Stage != nil {
			p.Stages = append(p.Stages, *part.Stage)
		}
		p.Cost = p.Cost.Plus(part.Cost)
	}
	return p, err
}

// parts returns the parts of a path with some tiled stages: each one begins at the end of the previous one.
func (r *Row) parts(stages []split.Stage) (list []Part, err error) {
	at := 0
	for _, s := range stages {
		if at < s.First {
			list = append(list, r.asIs(at, s.First))
		}
		p, err := r.tiled(s)
		if err != nil {
			return nil, err
		}
		list, at = append(list, p), p.To
	}
	if at < r.Len() {
		list = append(list, r.asIs(at, r.Len()))
	}
	return list, nil
}

package disjunctive

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// A Forbid returns the differences offset b - offset a in bytes that records a < b may not
// have: closed ranges, ascending and disjoint. It is asked only for records that are not
// empty and whose usage intervals meet.
type Forbid func(a, b int) []lifetime.Range

// maxRanges is the largest number of forbidden ranges that the search takes on.
const maxRanges = 1 << 20

// ask returns what is forbidden for each two of the rows: for the k-th and an earlier one at
// [k][earlier].
func ask(p Problem, rows []int) (given [][][]lifetime.Range, ok bool) {
	given = make([][][]lifetime.Range, len(rows))
	ranges := 0
	for k, j := range rows {
		given[k] = make([][]lifetime.Range, k)
		for e, i := range rows[:k] {
			if !p.Records[i].Overlaps(p.Records[j]) {
				continue
			}
			given[k][e] = p.Forbid(i, j)
			if ranges += len(given[k][e]); ranges > maxRanges {
				return nil, false
			}
		}
	}
	return given, true
}

// grainOfRanges returns the greatest common divisor of the differences next to a forbidden
// range, zero where there is none.
func grainOfRanges(given [][][]lifetime.Range) int64 {
	var grain int64
	for _, row := range given {
		for _, ranges := range row {
			for _, r := range ranges {
				grain = gcd(gcd(grain, abs(r.Lo-1)), abs(r.Hi+1))
			}
		}
	}
	return grain
}

func abs(n int64) int64 { return max(n, -n) }

// inGrains returns the pairs of what was given.
func inGrains(given [][][]lifetime.Range, grain int64) []pair {
	var pairs []pair
	for j, row := range given {
		for i, ranges := range row {
			p := pair{i: i, j: j}
			for _, r := range ranges {
				lo, hi := (r.Lo-1)/grain+1, (r.Hi+1)/grain-1
				if k := len(p.forbidden) - 1; k >= 0 && lo <= p.forbidden[k].hi+1 {
					p.forbidden[k].hi = max(p.forbidden[k].hi, hi)
				} else {
					p.forbidden = append(p.forbidden, interval{lo, hi})
				}
			}
			if len(p.forbidden) > 0 {
				pairs = append(pairs, p)
			}
		}
	}
	return pairs
}

// crowds returns tensors that are all kept wholly apart from each other: for each tensor,
// of those that are in use when it begins, the largest first, whatever is apart from those
// before it.
func crowds(p *part) [][]held {
	n := len(p.tensors)
	apart := make([]bool, n*n)
	for _, q := range p.pairs {
		a, b := p.tensors[q.i], p.tensors[q.j]
		if f := q.forbidden; len(f) == 1 && f[0].lo <= 1-b.size && f[0].hi >= a.size-1 {
			apart[q.i*n+q.j], apart[q.j*n+q.i] = true, true
		}
	}
	bySize := make([]int, n)
	for i := range bySize {
		bySize[i] = i
	}
	slices.SortStableFunc(bySize, func(i, j int) int { return int(max(-1, min(1, p.tensors[j].size-p.tensors[i].size))) })
	var all [][]held
	for first := range n {
		crowd := []held{{first, 0, p.tensors[first].size}}
		for _, i := range bySize {
			if i != first && !slices.ContainsFunc(crowd, func(h held) bool { return !apart[i*n+h.tensor] }) {
				crowd = append(crowd, held{i, 0, p.tensors[i].size})
			}
		}
		if len(crowd) > 1 {
			all = append(all, crowd)
		}
	}
	return all
}

package disjunctive

import (
	"maps"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime"
)

// A Problem is records and the distances between them.
type Problem struct {
	// Records must be accepted by [lifetime.CheckRecords].
	Records []lifetime.Record
	// Forbid returns the forbidden differences of offsets of pairs; nil derives them from the pieces of
	// the records.
	Forbid Forbid
}

// A Forbid returns the forbidden differences offset b - offset a in bytes of records a < b: closed
// ranges, ascending and disjoint. It is called only for non-empty records whose usage intervals
// overlap.
type Forbid func(a, b int) []lifetime.Range

// maxRanges is the largest number of forbidden ranges that the search accepts.
const maxRanges = 1 << 20

// askForbidden returns the forbidden ranges of each two rows: for the k-th and an earlier one at
// [k][earlier].
func askForbidden(p Problem, rows []int) (given [][][]lifetime.Range, ok bool) {
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

// grainOfRanges returns the greatest common divisor of the differences next to a forbidden range, or
// zero.
func grainOfRanges(given [][][]lifetime.Range) int64 {
	var grain int64
	for _, row := range given {
		for _, ranges := range row {
			for _, r := range ranges {
				grain = integer.GCD(integer.GCD(grain, abs(r.Lo-1)), abs(r.Hi+1))
			}
		}
	}
	return grain
}

func abs(n int64) int64 { return max(n, -n) }

// inGrains returns the pairs of the given ranges.
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

// swappable reports whether two tensors have the same forbidden differences.
func (p *part) swappable(i, j int) bool {
	to := make([]map[int][]interval, 2) // forbidden differences of others from i and from j
	for k, t := range []int{i, j} {
		to[k] = map[int][]interval{}
		for _, q := range p.pairs {
			switch t {
			case q.i:
				to[k][q.j] = q.forbidden
			case q.j:
				to[k][q.i] = mirrored(q.forbidden)
			}
		}
	}
	if !slices.Equal(to[0][j], to[1][i]) {
		return false
	}
	delete(to[0], j)
	delete(to[1], i)
	return maps.EqualFunc(to[0], to[1], slices.Equal[[]interval])
}

// mirrored returns the differences with the tensors of a pair exchanged.
func mirrored(forbidden []interval) []interval {
	out := make([]interval, len(forbidden))
	for k, f := range forbidden {
		out[len(out)-1-k] = interval{-f.hi, -f.lo}
	}
	return out
}

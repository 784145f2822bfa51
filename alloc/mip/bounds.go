package mip

import (
	"cmp"
	"errors"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// maxBoundTerms keeps the rows of bounds from outgrowing the program.
const maxBoundTerms = 1 << 20

var errEnough = errors.New("enough rows")

// bounds adds rows that follow from the others in integers, but not in the linear relaxation that
// solvers begin with, where a big W makes each pair worthless and u no more than the largest record. Of
// records that are alive at one position, those below one of them take its offset at least, and those
// above it fit between its end and u. With both rows u is at least the breadth from the start.
//
// Records that may lie below another and share its bytes are omitted: those with gaps, and the smaller
// of two that [Forbid] lets share bytes.
func (p *offsetsProgram) bounds(records []lifetime.Record, x []int) error {
	z := map[[2]int]int{} // of pairs that share no byte
	for k, pair := range p.pairs {
		if pair.lo == -records[pair.j].Size && pair.hi == records[pair.i].Size {
			z[[2]int{pair.i, pair.j}] = p.z[k]
		}
	}
	whole := slices.DeleteFunc(nonEmpty(records), func(i int) bool { return len(records[i].Gaps) > 0 })
	before, count := p.terms, 0
	err := cliques(records, whole, func(alive []int) error {
		if alive = disjoint(records, alive, z); len(alive) < 2 {
			return nil
		}
		for _, j := range alive {
			if p.terms-before+2*len(alive)+3 > maxBoundTerms {
				return errEnough
			}
			below, above := p.pinnedAround(records, alive, j, z)
			name := fmt.Sprintf("%d_%d", count, j)
			offset := term{p.step(records[j]), x[j]}
			if err := p.row("d"+name, atLeast, below.sum, append(below.terms, offset)...); err != nil {
				return err
			}
			above.terms = append(above.terms, term{1, p.u}, minus(offset))
			if err := p.row("f"+name, atLeast, above.sum+records[j].Size/p.unit, above.terms...); err != nil {
				return err
			}
		}
		count++
		return nil
	})
	if err == errEnough {
		return nil
	}
	return err
}

// disjoint returns a subset of records, in their order, with a binary in z for each pair: it keeps the
// larger ones.
func disjoint(records []lifetime.Record, alive []int, z map[[2]int]int) []int {
	bySize := slices.Clone(alive)
	slices.SortStableFunc(bySize, func(i, j int) int { return cmp.Compare(records[j].Size, records[i].Size) })
	var kept []int
	for _, i := range bySize {
		shares := func(j int) bool {
			_, apart := z[[2]int{min(i, j), max(i, j)}]
			return !apart
		}
		if !slices.ContainsFunc(kept, shares) {
			kept = append(kept, i)
		}
	}
	return slices.DeleteFunc(slices.Clone(alive), func(i int) bool { return !slices.Contains(kept, i) })
}

// A side is the sizes of the records on one side of another, in units, as a sum minus
// terms.
type side struct {
	sum   int64
	terms []term
}

// pinnedAround returns the sizes below record j and above it.
func (p *offsetsProgram) pinnedAround(records []lifetime.Record, alive []int, j int, z map[[2]int]int) (below, above side) {
	for _, i := range alive {
		size := records[i].Size / p.unit
		switch {
		case i < j: // below when z is 0
			zero := z[[2]int{i, j}]
			below.sum += size
			below.terms = append(below.terms, term{size, zero})
			above.terms = append(above.terms, term{-size, zero})
		case i > j: // above when z is 0
			zero := z[[2]int{j, i}]
			above.sum += size
			above.terms = append(above.terms, term{size, zero})
			below.terms = append(below.terms, term{-size, zero})
		}
	}
	return below, above
}

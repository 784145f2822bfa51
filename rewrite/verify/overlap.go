package verify

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/lifetime"
)

const (
	// maxOverlaps is the maximum number of failures listed, and likewise of intended overlaps;
	// a broken plan can have one for every pair of tensors.
	maxOverlaps = 200
	// maxPairs is the maximum number of pairs compared one by one. Real models, with a few
	// hundred tensors live at a time, need far fewer.
	maxPairs = 1 << 26
	// overlapCost is the share of maxPairs used by an overlapping pair, which needs a message.
	overlapCost = 16
)

// shared reports pinned tensors that share bytes while both are live.
func (v *verifier) shared() {
	order := v.overlapOrder()
	l := overlapList{verifier: v, budget: maxPairs, unlisted: map[Law]int{}}
	var alive []int
	for _, i := range order {
		p := v.pinned[i]
		alive = slices.DeleteFunc(alive, func(j int) bool { return v.pinned[j].Last < p.First })
		if l.budget -= len(alive); l.budget < 0 || l.failures > maxOverlaps {
			v.manyOverlaps(order)
			break
		}
		for _, j := range alive {
			if q := v.pinned[j]; p.Start < q.End && q.Start < p.End {
				l.add(q, p)
			}
		}
		alive = append(alive, i)
	}
	for _, law := range []Law{LawTakeover, LawOverlap} {
		if more := l.unlisted[law]; more > 0 {
			v.report(law, Aliasing, 0, nil, "%d more pairs of tensors share memory on purpose", more)
		}
	}
	v.out.unlisted = l.unlisted[LawOverlap]
}

// overlapOrder returns the tensors to compare, ordered by first position. Unused tensors hold
// no data to lose and are omitted.
func (v *verifier) overlapOrder() (order []int) {
	for i, p := range v.pinned {
		if p.Last >= 0 && p.Start < p.End {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(v.pinned[i].First, v.pinned[j].First) })
	return order
}

// overlapList reports overlaps up to a limit for each severity.
type overlapList struct {
	*verifier
	failures, aliases int
	budget            int
	// unlisted counts the intended overlaps beyond the limit, by law.
	unlisted map[Law]int
}

func (l *overlapList) add(p, q pinned) {
	l.budget -= overlapCost
	if p.index > q.index {
		p, q = q, p
	}
	uses := []Use{p.Use, q.Use}
	for _, permit := range permits {
		why := permit.why(l.verifier, p, q)
		if why == "" {
			continue
		}
		if permit.alias != nil {
			l.share(sharing{permit.alias(l.verifier, p, q), p.Use, q.Use})
		}
		if l.aliases++; l.aliases <= maxOverlaps {
			l.report(permit.law, Aliasing, q.index, uses, "%s and %s share memory: %s", p.Use, q.Use, why)
		} else {
			l.unlisted[permit.law]++
		}
		return
	}
	if l.failures++; l.failures <= maxOverlaps {
		l.report(LawOverlap, Failure, q.index, uses, "%s and %s share memory while both are alive%s", p.Use, q.Use, l.missing(p, q))
	}
}

// manyOverlaps checks for overlaps without naming them all, if there are too many pairs. It
// does not distinguish intended aliasing from other overlaps.
func (v *verifier) manyOverlaps(order []int) {
	var records []lifetime.Record
	var offsets []int64
	for _, i := range order {
		p := v.pinned[i]
		records = append(records, lifetime.Record{ID: p.ID, Name: p.Name, First: p.First, Last: p.Last, Size: p.End - p.Start})
		offsets = append(offsets, max(p.Start, 0))
	}
	err := check.Offsets(records, offsets, largestEnd(records, offsets))
	if err != nil {
		v.report(LawOverlap, Failure, 0, nil, "there are too many tensors that share memory to list them all; one more: %v", err)
	}
}

func largestEnd(records []lifetime.Record, offsets []int64) (end int64) {
	for i, r := range records {
		end = max(end, offsets[i]+r.Size)
	}
	return end
}

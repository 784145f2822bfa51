package distances

import (
	"context"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime"
)

// A fit chooses the offset of a record: taken are the forbidden offsets by each placed record in turn,
// the earliest first. It may reorder them.
type fit func(taken []lifetime.Range, align int64) int64

// place puts the pinned records at their offsets and then each other record, in the given order, at the
// offset returned by choose.
func (p *Problem) place(ctx context.Context, order []int, choose fit) ([]int64, error) {
	offsets := make([]int64, len(p.Records))
	placed := newIntervalTree(p.Records)
	for i, r := range p.Records {
		if r.Pinned {
			offsets[i] = r.Offset
			placed.add(i)
		}
	}
	pulse := problem.Pulse{Context: ctx}
	var peers []int
	var taken []lifetime.Range
	for _, i := range order {
		if p.Records[i].Pinned {
			continue
		}
		peers, taken = placed.overlapping(peers[:0], i), taken[:0]
		for _, j := range peers {
			if err := pulse.Err(); err != nil {
				return nil, err
			}
			taken = p.appendForbidden(taken, i, j, offsets[j])
		}
		offsets[i] = choose(taken, p.Records[i].Alignment())
		placed.add(i)
	}
	return offsets, nil
}

// appendForbidden appends the offsets, zero and above, that record i may not have if record j is at an
// offset. Both lifetimes overlap.
func (p *Problem) appendForbidden(dst []lifetime.Range, i, j int, at int64) []lifetime.Range {
	if j < i {
		for _, r := range p.forbid(j, i) {
			if at+r.Hi >= 0 {
				dst = append(dst, lifetime.Range{Lo: at + r.Lo, Hi: at + r.Hi})
			}
		}
		return dst
	}
	forbidden := p.forbid(i, j)
	for k := len(forbidden) - 1; k >= 0; k-- {
		if r := forbidden[k]; at-r.Lo >= 0 {
			dst = append(dst, lifetime.Range{Lo: at - r.Hi, Hi: at - r.Lo})
		}
	}
	return dst
}

// lowest chooses the lowest free offset.
func lowest(taken []lifetime.Range, align int64) int64 {
	var at int64
	for _, r := range lifetime.Union(taken) {
		if at < r.Lo {
			break
		}
		if at <= r.Hi {
			at = integer.RoundUp(r.Hi+1, align)
		}
	}
	return at
}

// tightest chooses the start of the shortest run of free offsets, the lowest of equal ones, and the
// space above everything only as a last resort.
func tightest(taken []lifetime.Range, align int64) int64 {
	var at int64
	best, shortest := int64(-1), int64(0)
	for _, r := range lifetime.Union(taken) {
		if run := r.Lo - at; run > 0 && (best < 0 || run < shortest) {
			best, shortest = at, run
		}
		at = max(at, integer.RoundUp(max(r.Hi+1, 0), align))
	}
	if best < 0 {
		return at
	}
	return best
}

// printed chooses as Algorithms 1 and 2 of Kvochko et al. 2024 do as printed, with ranges for their
// pairs of chunks: from an offset inside a range, the step is the distance from its start, plus one
// byte. It may take several steps to leave a range, or skip free offsets. No step is zero, so that it
// ends.
func printed(taken []lifetime.Range, align int64) int64 {
	var at int64
	for again := true; again; {
		again = false
		for _, r := range taken {
			if r.Lo <= at && at <= r.Hi {
				at, again = integer.RoundUp(at+at-r.Lo+1, align), true
				break
			}
		}
	}
	return at
}

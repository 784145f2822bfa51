package inplace

import (
	"cmp"
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime"
)

// Anywhere is any offset: of an unconstrained or a missing record.
const Anywhere = int64(-1)

// A Link is a part of a problem, with its incoming record from the previous part and its outgoing
// record to the next.
type Link struct {
	in, out int // -1 for none
	// candidates are the ways of sharing memory, the narrowest first.
	candidates []linkCandidate
	memo       *Memo
}

// A linkCandidate is the merged records of a link, with the incoming and the outgoing group.
type linkCandidate struct {
	*Merged
	overlaps []lifetime.Overlap
	in, out  int
	breadth  int64
}

// NewLink returns the link of records, with the permitted takeovers and overlaps between them. in and
// out are the indexes of the incoming and the outgoing record, -1 for none.
func NewLink(records []lifetime.Record, takeovers []lifetime.Takeover, overlaps []lifetime.Overlap, in, out int) *Link {
	l := &Link{in: in, out: out}
	ways := TakeoverSets(records, takeovers)
	if len(overlaps) > 0 && len(takeovers) > 0 {
		ways = append(ways, nil)
	}
	for _, some := range ways {
		m := Merge(records, some, nil)
		left := m.Overlaps(records, overlaps)
		l.candidates = append(l.candidates, linkCandidate{
			Merged: m, overlaps: left, in: groupOf(m, in), out: groupOf(m, out), breadth: lifetime.LeastBreadth(m.Records, left),
		})
	}
	slices.SortStableFunc(l.candidates, func(a, b linkCandidate) int { return cmp.Compare(a.breadth, b.breadth) })
	return l
}

// groupOf returns the group of a record, or -1.
func groupOf(m *Merged, record int) int {
	return slices.IndexFunc(m.Groups, func(group []int) bool { return slices.Contains(group, record) })
}

// Bound returns a lower bound of the plans of [Link.Fit] in bytes.
func (l *Link) Bound() int64 { return l.candidates[0].breadth }

// Fit returns offsets within limit, in bytes, one for each record. in and out are the required offsets
// of the incoming and the outgoing record, or [Anywhere]. The outgoing record is placed next to the
// incoming one if the two would collide. nodes bounds the search for each way of sharing memory. If ok
// is false, no plan was found, which proves nothing.
func (l *Link) Fit(ctx context.Context, limit, nodes, in, out int64) (offsets []int64, ok bool) {
	for _, w := range l.candidates {
		if w.breadth > limit || ctx.Err() != nil {
			break
		}
		fixed, ok := l.fixedOffsets(w, limit, in, out)
		if !ok {
			continue
		}
		if groups := w.pack(ctx, l.memo, fixed, limit, nodes); groups != nil {
			return w.Offsets(groups), true
		}
	}
	return nil, false
}

// Out returns the offset of the outgoing record, or [Anywhere] if there is none.
func (l *Link) Out(offsets []int64) int64 {
	if l.out < 0 {
		return Anywhere
	}
	return offsets[l.out]
}

// fixedOffsets returns the places of the groups at the ends.
func (l *Link) fixedOffsets(w linkCandidate, limit, in, out int64) (map[int]int64, bool) {
	fixed := map[int]int64{}
	if l.in >= 0 && in != Anywhere {
		at := in - w.Within(l.in)
		if !validOffset(w.Records[w.in], at, limit) {
			return nil, false
		}
		fixed[w.in] = at
	}
	if l.out >= 0 && out != Anywhere {
		at, ok := w.outgoingOffset(fixed, out-w.Within(l.out), limit)
		if !ok {
			return nil, false
		}
		fixed[w.out] = at
	}
	return fixed, true
}

// outgoingOffset returns the place of the outgoing group next to the incoming one: as low as possible
// if it was wanted at the bottom, and otherwise as high as possible.
func (w linkCandidate) outgoingOffset(fixed map[int]int64, at, limit int64) (int64, bool) {
	r := w.Records[w.out]
	known, ok := fixed[w.in]
	switch {
	case !validOffset(r, at, limit):
		return 0, false
	case !ok || w.in == w.out:
		return at, !ok || known == at
	case !w.collide(known, at):
		return at, true
	}
	// An output that overlaps its input may trail it.
	for _, o := range w.overlaps {
		if trail := known - integer.RoundUp(o.Distance, r.Alignment()); o.From == w.in && o.To == w.out && trail >= 0 && !w.collide(known, trail) {
			return trail, true
		}
	}
	low, high, ok := r.Clear([]lifetime.Placed{{Record: w.Records[w.in], At: known}}, limit)
	if at == 0 {
		return low, ok
	}
	return high, ok
}

// collide reports whether the incoming and outgoing groups may not have these places.
func (w linkCandidate) collide(in, out int64) bool {
	a, b, difference := w.in, w.out, out-in
	if a > b {
		a, b, difference = b, a, -difference
	}
	forbidden := lifetime.Forbidden(w.Records, w.overlaps, nil)(a, b)
	return slices.ContainsFunc(forbidden, func(r lifetime.Range) bool { return r.Lo <= difference && difference <= r.Hi })
}

// validOffset reports whether a record may begin at a place.
func validOffset(r lifetime.Record, at, limit int64) bool {
	return at >= 0 && at+r.Size <= limit && at%r.Alignment() == 0
}

// manyRecords is the number of records above which fewer nodes are searched, as each takes longer.
const manyRecords = 256

// pack searches for offsets around the fixed groups, and returns nil if it finds none.
func (w linkCandidate) pack(ctx context.Context, memo *Memo, fixed map[int]int64, limit, nodes int64) []int64 {
	p, open := w.packing(fixed)
	if n := int64(len(p.records)); n > manyRecords && nodes > 0 {
		nodes = max(int64(float64(nodes)*manyRecords/float64(n)), 1)
	}
	p.limit, p.nodes = limit, nodes
	found := memo.offsets(p, func() ([]int64, bool) {
		verdict, err := alloc.Fit(ctx, p.records, limit, alloc.Options{SearchNodes: nodes, Quick: true}.Permit(p.records, p.overlaps, nil))
		if err != nil || verdict.Answer != alloc.Fits {
			return nil, ctx.Err() == nil
		}
		return append([]int64{}, verdict.Plan.Offsets...), true // never nil
	})
	if found == nil {
		return nil
	}
	offsets := make([]int64, len(w.Records))
	for i, at := range fixed {
		offsets[i] = at
	}
	for k, i := range open {
		if i >= 0 {
			offsets[i] = found[k]
		}
	}
	return offsets
}

// packing returns the records to place and, pinned, the fixed ones, without limits; open has the index in
// w.Records of each record to place, -1 for others. A fixed record with gaps becomes one record for
// each time without a change, so that its free bytes can be used.
func (w linkCandidate) packing(fixed map[int]int64) (p packing, open []int) {
	pieces := make([][]int, len(w.Records)) // indexes in p.records
	start := make([]int64, 0, len(w.Records))
	for i, r := range w.Records {
		at, ok := fixed[i]
		if !ok {
			pieces[i] = append(pieces[i], len(p.records))
			p.records, open, start = append(p.records, r), append(open, i), append(start, 0)
			continue
		}
		for q := range r.Pieces {
			pieces[i] = append(pieces[i], len(p.records))
			p.records = append(p.records, lifetime.Record{First: q.First, Last: q.Last, Size: q.Hi - q.Lo, Pinned: true, Offset: at + q.Lo})
			open, start = append(open, -1), append(start, q.Lo)
		}
	}
	at := func(record, position int) int {
		return slices.IndexFunc(pieces[record], func(k int) bool { return p.records[k].First <= position && position <= p.records[k].Last })
	}
	for _, o := range w.overlaps {
		from, to := at(o.From, o.At), at(o.To, o.At)
		if from < 0 || to < 0 {
			continue
		}
		o.From, o.To = pieces[o.From][from], pieces[o.To][to]
		o.Distance += start[o.From] - start[o.To]
		p.overlaps = append(p.overlaps, o)
	}
	return p, open
}

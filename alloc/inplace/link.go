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

// A Link is a part of a problem, with its incoming records from the previous part and its outgoing
// records to the next.
type Link struct {
	// in and out are the incoming and the outgoing records; newest is the outgoing one that begins last, -1 for none.
	in, out []int
	newest  int
	// candidates are the ways of sharing memory, the narrowest first.
	candidates []linkCandidate
	memo       *Memo
	// whole is the number of records of the link from which it was cut, zero if it was not.
	whole int
}

// A linkCandidate is the merged records of a link, with the groups of the incoming records and of the newest outgoing one.
type linkCandidate struct {
	*Merged
	overlaps []lifetime.Overlap
	in       []int
	out      int
	breadth  int64
}

// NewLink returns the link of records, with the permitted takeovers and overlaps between them. in and
// out are the indexes of the incoming and the outgoing records, in the order in which they begin.
func NewLink(records []lifetime.Record, takeovers []lifetime.Takeover, overlaps []lifetime.Overlap, in, out []int) *Link {
	l := &Link{in: in, out: out, newest: -1}
	if len(out) > 0 {
		l.newest = out[len(out)-1]
	}
	ways := TakeoverSets(records, takeovers)
	if len(overlaps) > 0 && len(takeovers) > 0 {
		ways = append(ways, nil)
	}
	for _, some := range ways {
		m := Merge(records, some, nil)
		left := m.Overlaps(records, overlaps)
		l.candidates = append(l.candidates, linkCandidate{
			Merged: m, overlaps: left, in: groupsOf(m, in), out: groupOf(m, l.newest), breadth: lifetime.LeastBreadth(m.Records, left),
		})
	}
	slices.SortStableFunc(l.candidates, func(a, b linkCandidate) int { return cmp.Compare(a.breadth, b.breadth) })
	return l
}

// groupOf returns the group of a record, or -1.
func groupOf(m *Merged, record int) int {
	return slices.IndexFunc(m.Groups, func(group []int) bool { return slices.Contains(group, record) })
}

// groupsOf returns the groups of records.
func groupsOf(m *Merged, records []int) (groups []int) {
	for _, i := range records {
		groups = append(groups, groupOf(m, i))
	}
	return groups
}

// Bound returns a lower bound of the plans of [Link.Fit] in bytes.
func (l *Link) Bound() int64 { return l.candidates[0].breadth }

// Fit returns offsets within limit, in bytes, one for each record. in are the required offsets of the incoming records,
// nil for any, and out that of the newest outgoing record, or [Anywhere]. The outgoing record is placed next to the
// incoming ones if they would collide. nodes bounds the search for each way of sharing memory. If ok
// is false, no plan was found, which proves nothing.
func (l *Link) Fit(ctx context.Context, limit, nodes int64, in []int64, out int64) (offsets []int64, ok bool) {
	for _, w := range l.candidates {
		if w.breadth > limit || ctx.Err() != nil {
			break
		}
		fixed, ok := l.fixedOffsets(w, limit, in, out)
		if !ok {
			continue
		}
		if groups := l.pack(ctx, w, fixed, limit, nodes); groups != nil {
			return w.Offsets(groups), true
		}
	}
	return nil, false
}

// Out returns the offsets of the outgoing records.
func (l *Link) Out(offsets []int64) (out []int64) {
	for _, i := range l.out {
		out = append(out, offsets[i])
	}
	return out
}

// fixedOffsets returns the places of the groups at the ends.
func (l *Link) fixedOffsets(w linkCandidate, limit int64, in []int64, out int64) (map[int]int64, bool) {
	fixed := map[int]int64{}
	for k := range in {
		group, at := w.in[k], in[k]-w.Within(l.in[k])
		if known, ok := fixed[group]; ok && known != at || !validOffset(w.Records[group], at, limit) {
			return nil, false
		}
		fixed[group] = at
	}
	if l.newest >= 0 && out != Anywhere {
		at, ok := w.outgoingOffset(fixed, out-w.Within(l.newest), limit)
		if !ok {
			return nil, false
		}
		fixed[w.out] = at
	}
	return fixed, true
}

// outgoingOffset returns the place of the outgoing group next to the incoming ones: as low as possible
// if it was wanted at the bottom, and otherwise as high as possible.
func (w linkCandidate) outgoingOffset(fixed map[int]int64, at, limit int64) (int64, bool) {
	r := w.Records[w.out]
	if !validOffset(r, at, limit) {
		return 0, false
	}
	if known, ok := fixed[w.out]; ok {
		return at, known == at
	}
	if !w.collides(fixed, at) {
		return at, true
	}
	// An output that overlaps its input may trail it.
	for _, o := range w.overlaps {
		known, ok := fixed[o.From]
		if trail := known - integer.RoundUp(o.Distance, r.Alignment()); ok && o.To == w.out && trail >= 0 && !w.collides(fixed, trail) {
			return trail, true
		}
	}
	var others []lifetime.Placed
	for _, k := range w.in {
		if known, ok := fixed[k]; ok {
			others = append(others, lifetime.Placed{Record: w.Records[k], At: known})
		}
	}
	low, high, ok := r.Clear(others, limit)
	if at == 0 {
		return low, ok
	}
	return high, ok
}

// collides reports whether the outgoing group may not lie at an offset beside the fixed groups.
func (w linkCandidate) collides(fixed map[int]int64, at int64) bool {
	for _, k := range w.in {
		if known, ok := fixed[k]; ok && w.collide(k, known, at) {
			return true
		}
	}
	return false
}

// collide reports whether an incoming group and the outgoing one may not have these places.
func (w linkCandidate) collide(group int, in, out int64) bool {
	a, b, difference := group, w.out, out-in
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

// wide is the maximum number of records that a link passes on.
const wide = 3

// manyRecords is the number of records above which fewer nodes are searched, as each takes longer. The links that are cut from
// one have as few as that, because there are many ways to plan them one after the other.
const manyRecords = 256

// pack searches for offsets around the fixed groups, and returns nil if it finds none.
func (l *Link) pack(ctx context.Context, w linkCandidate, fixed map[int]int64, limit, nodes int64) []int64 {
	p, open := w.packing(fixed)
	if n := max(len(p.records), l.whole); n > manyRecords && nodes > 0 {
		nodes = max(nodes*manyRecords/int64(n), 1)
	}
	p.limit, p.nodes = limit, nodes
	found := l.memo.offsets(p, func() ([]int64, bool) {
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

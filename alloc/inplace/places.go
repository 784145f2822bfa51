package inplace

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/workers"
	"github.com/tflarena/tflarena/lifetime"
)

// Outs returns the offsets in bytes of the newest outgoing record that put its group at the bottom or at the
// top of an arena of limit bytes, or let it trail a group at the top, for each way of sharing memory.
// From there the following links can descend step by step.
func (l *Link) Outs(limit int64) (list []int64) {
	for _, w := range l.candidates {
		if l.newest < 0 {
			break
		}
		if low, high, ok := w.Records[w.out].Clear(nil, limit); ok {
			list = distinct(list, low+w.Within(l.newest), high+w.Within(l.newest))
		}
		for _, at := range w.trailingOffsets(limit) {
			list = distinct(list, at+w.Within(l.newest))
		}
	}
	return list
}

// trailingOffsets returns the beginnings of the outgoing group if it trails a group at the top of an
// arena as closely as permitted.
func (w linkCandidate) trailingOffsets(limit int64) (list []int64) {
	for _, o := range w.overlaps {
		if o.To != w.out {
			continue
		}
		align := w.Records[w.out].Alignment()
		if _, high, ok := w.Records[o.From].Clear(nil, limit); ok && high >= o.Distance {
			if at := (high - o.Distance) / align * align; validOffset(w.Records[w.out], at, limit) {
				list = append(list, at)
			}
		}
	}
	return list
}

// Ins returns candidate offsets for the k-th incoming record: those that put its group at the bottom or at
// the top of the arena, those directly above or below the outgoing group when that is at an end of the
// arena, and those found when it may lie anywhere.
func (l *Link) Ins(ctx context.Context, limit, nodes int64, k int) (list []int64) {
	in := l.in[k]
	for _, w := range l.candidates {
		for _, others := range w.outgoingAtEnds(limit, w.in[k]) {
			if low, high, ok := w.Records[w.in[k]].Clear(others, limit); ok {
				list = distinct(list, low+w.Within(in), high+w.Within(in))
			}
		}
	}
	for _, offsets := range l.Free(ctx, limit, nodes) {
		if offsets != nil {
			list = distinct(list, offsets[in])
		}
	}
	return list
}

// Free returns plans of [Link.Fit] with any places of the incoming records, one for each of [Link.Outs],
// and one with any place of the outgoing record too. A plan that was not found is nil.
func (l *Link) Free(ctx context.Context, limit, nodes int64) [][]int64 {
	outs := append(l.Outs(limit), Anywhere)
	list := make([][]int64, len(outs))
	var wait workers.Group
	for k, out := range outs {
		wait.Go(func() { list[k], _ = l.Fit(ctx, limit, nodes, nil, out) })
	}
	wait.Wait()
	return list
}

// fitsAlone reports whether a plan was found with any places of the incoming records.
func (l *Link) fitsAlone(ctx context.Context, limit, nodes int64) bool {
	return slices.ContainsFunc(l.Free(ctx, limit, nodes), func(offsets []int64) bool { return offsets != nil })
}

// outgoingAtEnds returns an empty list, and the outgoing group at either end of the arena, unless it is the given one.
func (w linkCandidate) outgoingAtEnds(limit int64, in int) [][]lifetime.Placed {
	list := [][]lifetime.Placed{nil}
	if w.out >= 0 && w.out != in {
		r := w.Records[w.out]
		if low, high, ok := r.Clear(nil, limit); ok {
			list = append(list, []lifetime.Placed{{Record: r, At: low}}, []lifetime.Placed{{Record: r, At: high}})
		}
	}
	return list
}

// distinct appends numbers that are not in the list.
func distinct(list []int64, more ...int64) []int64 {
	for _, x := range more {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}

package pin

import (
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// A PeakUse is the position at which most memory is in use, and what uses it.
type PeakUse struct {
	// Position is a position of the view.
	Position int
	// Bytes are in use there. Bytes that several records hold count once.
	Bytes int64
	// Live are the records that hold bytes there, by falling number of bytes.
	Live []Live
}

// Live is a record at a position.
type Live struct {
	// Record is the index in [Outcome.Records].
	Record int
	// Held is the number of bytes that it holds. Added is the number of those that no record before it
	// in the list holds: zero for a record that is in place.
	Held, Added int64
}

// PeakUse returns the peak of the live bytes with a level of in-place outputs: those of the plan, or those
// of the way of sharing memory with the lowest peak, if that is lower. It is a lower bound of the head of
// every plan with these in-place outputs, and at most the head of this one.
func (o *Outcome) PeakUse(alias rules.Alias) PeakUse {
	u := usage{records: append(slices.Clone(o.View.Remaining(alias)), o.Records[o.Planned:]...), offsets: o.Offsets}
	u.find()
	if len(alias.UpTo()) > 1 {
		for _, c := range choosers(o.View, o.scratch, alias) {
			if way := c.usage(); way.find() < u.bytes {
				u = way
			}
		}
	}
	return PeakUse{Position: u.position, Bytes: u.bytes, Live: u.live()}
}

// usage is records at offsets, and the overlaps that they may have in addition, by indexes of groups.
type usage struct {
	records  []lifetime.Record
	offsets  []int64
	merged   *inplace.Merged
	overlaps []lifetime.Overlap
	position int
	bytes    int64
}

// usage returns the records of the merged groups, one group after the other.
func (c *chooser) usage() usage {
	u := usage{records: append(slices.Clone(c.remaining), c.all[len(c.remaining):]...), merged: c.merged, overlaps: c.overlaps}
	u.offsets = make([]int64, len(u.records))
	var end int64
	for k, group := range c.merged.Groups {
		for _, i := range group {
			u.offsets[i] = end + c.merged.Within(i)
		}
		end += c.merged.Records[k].Size
	}
	for i := len(c.remaining); i < len(u.records); i++ {
		u.offsets[i] = end
		end += u.records[i].Size
	}
	return u
}

// find finds the peak and returns its bytes.
func (u *usage) find() int64 {
	var spared map[int]int64
	if len(u.overlaps) > 0 {
		spared = lifetime.Spared(u.merged.Records, u.overlaps)
	}
	u.position, u.bytes = inplace.PeakInUse(u.records, u.offsets, spared)
	return u.bytes
}

// live returns the records at the peak.
func (u *usage) live() (list []Live) {
	type piece struct {
		lifetime.Piece
		record int
	}
	var pieces []piece
	for i, r := range u.records {
		for p := range r.Pieces {
			if p.First <= u.position && u.position <= p.Last && p.Lo < p.Hi {
				p.Lo, p.Hi = p.Lo+u.offsets[i], p.Hi+u.offsets[i]
				pieces = append(pieces, piece{p, i})
			}
		}
	}
	sort.SliceStable(pieces, func(i, j int) bool { return pieces[i].Hi-pieces[i].Lo > pieces[j].Hi-pieces[j].Lo })
	var taken []lifetime.Range
	for _, p := range pieces {
		held := lifetime.Range{Lo: p.Lo, Hi: p.Hi - 1}
		list = append(list, Live{Record: p.record, Held: p.Hi - p.Lo, Added: free(taken, held)})
		taken = append(taken, held)
	}
	u.overlap(list)
	return list
}

// free returns how many numbers of a range are in none of others.
func free(others []lifetime.Range, r lifetime.Range) int64 {
	parts := []lifetime.Range{r}
	for _, o := range others {
		var left []lifetime.Range
		for _, p := range parts {
			for _, q := range []lifetime.Range{{Lo: p.Lo, Hi: min(p.Hi, o.Lo-1)}, {Lo: max(p.Lo, o.Hi+1), Hi: p.Hi}} {
				if q.Lo <= q.Hi {
					left = append(left, q)
				}
			}
		}
		parts = left
	}
	var sum int64
	for _, p := range parts {
		sum += p.Hi - p.Lo + 1
	}
	return sum
}

// overlap takes the bytes that overlaps save from the outputs.
func (u *usage) overlap(list []Live) {
	var here []lifetime.Overlap
	var before int64
	for _, o := range u.overlaps {
		if o.At != u.position {
			continue
		}
		here = append(here, o)
		saved := lifetime.Spared(u.merged.Records, here)[u.position]
		for k := range list {
			if slices.Contains(u.merged.Groups[o.To], list[k].Record) && list[k].Added > 0 {
				list[k].Added -= saved - before
				break
			}
		}
		before = saved
	}
}

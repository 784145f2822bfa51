package mip

import (
	"math/rand"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/lifetime"
)

// hostile are ids that would break a file if written unescaped.
var hostile = []string{"a", "", "End\nBounds\n u = 7", "\\ x", "* RHS\r\n", "é\x00\xff", "9:" + string(make([]byte, 300))}

// A source draws whole numbers between two, both included.
type source func(lo, hi int) int

func fromRapid(t *rapid.T) source {
	return func(lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, "n") }
}

// seeded returns a source that draws the same on all machines.
func seeded(seed int64) source {
	r := rand.New(rand.NewSource(seed))
	return func(lo, hi int) int { return lo + r.Intn(hi-lo+1) }
}

// A shape is the kind of drawn problems; scale multiplies all bytes.
type shape struct {
	records, positions, length, size int
	extras                           bool // alignments, pins, gaps and empty records
	scale                            int64
}

func (s shape) draw(pick source) []lifetime.Record {
	var records []lifetime.Record
	aligns := [][]int64{{0}, {1, 2}, {4}, {2, 3}, {6, 4}}[pick(0, 4)]
	for range pick(0, s.records) {
		first := pick(-1, s.positions)
		r := lifetime.Record{
			ID: hostile[pick(0, len(hostile)-1)], First: first, Last: first + pick(0, s.length),
			Size: int64(pick(1, s.size)),
		}
		if s.extras {
			s.addExtras(&r, aligns, pick)
		}
		r.Size, r.Offset, r.Align = r.Size*s.scale, r.Offset*s.scale, r.Align*s.scale
		for k := range r.Gaps {
			r.Gaps[k].Lo, r.Gaps[k].Hi = r.Gaps[k].Lo*s.scale, r.Gaps[k].Hi*s.scale
		}
		if clearOfPins(records, r) {
			records = append(records, r)
		}
	}
	return records
}

func (s shape) addExtras(r *lifetime.Record, aligns []int64, pick source) {
	r.Size = int64(pick(0, s.size))
	r.Align = aligns[pick(0, len(aligns)-1)]
	if pick(0, 5) == 0 {
		r.Pinned, r.Offset = true, r.Alignment()*int64(pick(0, 3))
	}
	for at := r.First; pick(0, 2) == 0 && at <= r.Last; {
		g := lifetime.Gap{First: pick(at, r.Last)}
		g.Last = pick(g.First, r.Last)
		g.Lo = int64(pick(0, int(r.Size)))
		g.Hi = int64(pick(int(g.Lo), int(r.Size)))
		r.Gaps = append(r.Gaps, g)
		at = g.Last + 1
	}
}

func clearOfPins(records []lifetime.Record, r lifetime.Record) bool {
	for _, s := range records {
		if r.Pinned && s.Pinned && r.Overlaps(s) && r.Offset < s.Offset+s.Size && s.Offset < r.Offset+r.Size {
			return false
		}
	}
	return true
}

// held returns the bytes that a record holds at a position, counted from its first.
func held(r lifetime.Record, position int) (lo, hi int64) {
	if position < r.First || position > r.Last {
		return 0, 0
	}
	for _, g := range r.Gaps {
		if g.First <= position && position <= g.Last {
			return g.Lo, g.Hi
		}
	}
	return 0, r.Size
}

// clash reports whether two records at two offsets share a byte at any position.
func clash(r, s lifetime.Record, x, y int64) bool {
	for position := max(r.First, s.First); position <= min(r.Last, s.Last); position++ {
		a, b := held(r, position)
		c, d := held(s, position)
		if a < b && c < d && x+a < y+d && y+c < x+b {
			return true
		}
	}
	return false
}

// bestOffsets tries every offset of every record and returns the smallest arena; clash reports whether
// two records may not have two offsets.
func bestOffsets(records []lifetime.Record, clash func(r, s lifetime.Record, x, y int64) bool) int64 {
	var most int64
	for _, r := range records {
		if r.Pinned {
			most = max(most, r.Offset)
		}
	}
	for _, r := range records {
		most += r.Size + r.Alignment() - 1
	}
	best := most
	offsets := make([]int64, len(records))
	var place func(i int, total int64)
	place = func(i int, total int64) {
		if i == len(records) {
			best = min(best, total)
			return
		}
		r := records[i]
		from, to, step := int64(0), best-r.Size, r.Alignment()
		if r.Pinned {
			from, to = r.Offset, r.Offset
		}
		if r.Size == 0 {
			place(i+1, total)
			return
		}
	next:
		for x := from; x <= to && max(total, x+r.Size) <= best; x += step {
			for j, s := range records[:i] {
				if s.Size > 0 && clash(r, s, x, offsets[j]) {
					continue next
				}
			}
			offsets[i] = x
			place(i+1, max(total, x+r.Size))
		}
	}
	place(0, 0)
	return best
}

// bestShared tries every way to put records into objects and returns the least sum.
func bestShared(records []lifetime.Record) int64 {
	best := lifetime.Naive(records)
	var objects [][]lifetime.Record
	var place func(i int)
	place = func(i int) {
		if i == len(records) {
			var total int64
			for _, o := range objects {
				var size int64
				for _, r := range o {
					size = max(size, r.Size)
				}
				total += size
			}
			best = min(best, total)
			return
		}
	next:
		for k := range objects {
			for _, s := range objects[k] {
				if s.Overlaps(records[i]) {
					continue next
				}
			}
			objects[k] = append(objects[k], records[i])
			place(i + 1)
			objects[k] = objects[k][:len(objects[k])-1]
		}
		objects = append(objects, []lifetime.Record{records[i]})
		place(i + 1)
		objects = objects[:len(objects)-1]
	}
	place(0)
	return best
}

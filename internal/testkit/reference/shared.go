package reference

import (
	"math"
	"sort"

	"github.com/tflarena/tflarena/lifetime"
)

// The functions in this package transcribe the published definitions as directly as possible, without
// regard for speed. No record may be empty.

// sorted returns 0..n-1 sorted by less, ties in row order, as insertion sort.
func sorted(n int, less func(i, j int) bool) []int {
	var order []int
	for i := range n {
		k := len(order)
		for k > 0 && less(i, order[k-1]) {
			k--
		}
		order = append(order[:k], append([]int{i}, order[k:]...)...)
	}
	return order
}

// Objects are shared objects and the object of each record.
type Objects struct {
	records []lifetime.Record
	Of      []int // -1: not assigned
	Sizes   []int64
}

func newObjects(records []lifetime.Record) *Objects {
	s := &Objects{records: records, Of: make([]int, len(records))}
	for i := range s.Of {
		s.Of[i] = -1
	}
	return s
}

func (s *Objects) suitable(i, object int) bool {
	for j, of := range s.Of {
		if of == object && s.records[i].Overlaps(s.records[j]) {
			return false
		}
	}
	return true
}

func (s *Objects) assign(i, object int) {
	if object == len(s.Sizes) {
		s.Sizes = append(s.Sizes, 0)
	}
	s.Of[i] = object
	s.Sizes[object] = max(s.Sizes[object], s.records[i].Size)
}

func naiveShared(records []lifetime.Record) *Objects {
	s := newObjects(records)
	for i := range records {
		s.assign(i, i)
	}
	return s
}

// freed lists, in order of (last, object), the objects whose use ended before
// position and are not in seen.
func (s *Objects) freed(position int, seen map[int]bool) []int {
	var ended []int
	for i, of := range s.Of {
		if of >= 0 && s.records[i].Last < position && !seen[i] {
			ended = append(ended, i)
			seen[i] = true
		}
	}
	sort.Slice(ended, func(a, b int) bool {
		x, y := ended[a], ended[b]
		if s.records[x].Last != s.records[y].Last {
			return s.records[x].Last < s.records[y].Last
		}
		return s.Of[x] < s.Of[y]
	})
	for k, i := range ended {
		ended[k] = s.Of[i]
	}
	return ended
}

func equality(records []lifetime.Record) *Objects {
	s := newObjects(records)
	seen := map[int]bool{}
	var free []int // oldest first
	for _, i := range sorted(len(records), func(i, j int) bool { return records[i].First < records[j].First }) {
		free = append(free, s.freed(records[i].First, seen)...)
		object := len(s.Sizes)
		for k := len(free) - 1; k >= 0; k-- {
			if s.Sizes[free[k]] == records[i].Size {
				object = free[k]
				free = append(free[:k], free[k+1:]...)
				break
			}
		}
		s.assign(i, object)
	}
	return s
}

func inOrder(records []lifetime.Record) *Objects {
	s := newObjects(records)
	seen := map[int]bool{}
	free := map[int]bool{}
	for _, i := range sorted(len(records), func(i, j int) bool { return records[i].First < records[j].First }) {
		for _, object := range s.freed(records[i].First, seen) {
			free[object] = true
		}
		size := records[i].Size
		above, below := -1, -1
		for object := range s.Sizes {
			if !free[object] {
				continue
			}
			if s.Sizes[object] >= size && (above < 0 || s.Sizes[object] < s.Sizes[above]) {
				above = object
			}
			if s.Sizes[object] < size && (below < 0 || s.Sizes[object] >= s.Sizes[below]) {
				below = object
			}
		}
		object := len(s.Sizes)
		switch {
		case above >= 0 && below >= 0 && size-s.Sizes[below] < s.Sizes[above]-size:
			object = below
		case above >= 0:
			object = above
		case below >= 0:
			object = below
		}
		s.assign(i, object)
		delete(free, object)
	}
	return s
}

// SharedBySize is greedy by size for shared objects: each record, in an order of descending sizes, gets
// the last suitable object, or the first with firstFit.
func SharedBySize(records []lifetime.Record, order []int, firstFit bool) *Objects {
	s := newObjects(records)
	for _, i := range order {
		best := len(s.Sizes)
		for object := range s.Sizes {
			if s.suitable(i, object) && !(firstFit && best < len(s.Sizes)) {
				best = object
			}
		}
		s.assign(i, best)
	}
	return s
}

// BySize returns larger records first, equal sizes as before has them, then by row.
func BySize(records []lifetime.Record, before func(i, j int) bool) []int {
	return sorted(len(records), func(i, j int) bool {
		if records[i].Size != records[j].Size {
			return records[i].Size > records[j].Size
		}
		return before(i, j)
	})
}

func earlier(records []lifetime.Record) func(i, j int) bool {
	return func(i, j int) bool { return records[i].First < records[j].First }
}

// later is the reverse of earlier, followed by the reverse of row order.
func later(records []lifetime.Record) func(i, j int) bool {
	return func(i, j int) bool {
		return records[i].First > records[j].First || records[i].First == records[j].First && i > j
	}
}

// Profiles returns the assignment order of greedy by breadth over all positions, of equally broad ones
// the earlier first, or the later with late. Equal sizes are as before has them, then by row.
func Profiles(records []lifetime.Record, before func(i, j int) bool, late bool) []int {
	return ProfilesBy(records, before, func(p, q int) bool { return (p < q) != late })
}

// ProfilesBy is [Profiles] with an order of equally broad positions.
func ProfilesBy(records []lifetime.Record, before, beforeAt func(i, j int) bool) []int {
	var positions []int
	breadth := map[int]int64{}
	for _, r := range records {
		for p := r.First; p <= r.Last; p++ {
			if _, seen := breadth[p]; !seen {
				positions = append(positions, p)
			}
			breadth[p] += r.Size
		}
	}
	sort.Slice(positions, func(a, b int) bool { return beforeAt(positions[a], positions[b]) })
	sort.SliceStable(positions, func(a, b int) bool { return breadth[positions[a]] > breadth[positions[b]] })
	var order []int
	done := map[int]bool{}
	ordered := BySize(records, before)
	for _, p := range positions {
		for _, i := range ordered {
			if !done[i] && records[i].First <= p && p <= records[i].Last {
				order, done[i] = append(order, i), true
			}
		}
	}
	return order
}

// SharedByBreadth is greedy by breadth for shared objects, in an order of [Profiles].
func SharedByBreadth(records []lifetime.Record, order []int) *Objects {
	s := newObjects(records)
	for _, i := range order {
		size, best := records[i].Size, -1
		for object, have := range s.Sizes {
			better := best < 0 || s.Sizes[best] < size && have > s.Sizes[best] ||
				s.Sizes[best] >= size && size <= have && have < s.Sizes[best]
			if better && s.suitable(i, object) {
				best = object
			}
		}
		if best < 0 {
			best = len(s.Sizes)
		}
		s.assign(i, best)
	}
	return s
}

// The stages of greedy by size improved, from the numbers of positional maxima that are above a size
// and at least the size. Stages with smaller numbers come first.
var (
	// TextStages are those of the paper's section 4.4: equal to a positional maximum, then between it
	// and the next.
	TextStages = func(above, atLeast int) int { return above + atLeast }
	// CodeStages are those of the GPU delegate's size-distance priority: the last positional maximum
	// that is not below the size.
	CodeStages = func(_, atLeast int) int { return atLeast }
)

func larger(records []lifetime.Record) func(i, j int) bool {
	return func(i, j int) bool { return records[i].Size > records[j].Size }
}

// Improved is greedy by size improved. Records of one stage at equal distances are as before has them,
// then by row.
func Improved(records []lifetime.Record, stages func(above, atLeast int) int, before func(i, j int) bool) *Objects {
	const infinite = math.MaxInt
	s := newObjects(records)
	maxima := lifetime.PositionalMaxima(records)
	type state struct {
		position, best, object int
		distance               []int
	}
	states := make([]state, len(records))
	for i, r := range records {
		above, atLeast := 0, 0
		for _, m := range maxima {
			if m > r.Size {
				above++
			}
			if m >= r.Size {
				atLeast++
			}
		}
		states[i] = state{best: infinite, object: -1, position: stages(above, atLeast)}
	}
	for range records {
		pick := -1
		for i := range records {
			if s.Of[i] >= 0 {
				continue
			}
			a, b := states[i], state{}
			if pick >= 0 {
				b = states[pick]
			}
			if pick < 0 || a.position < b.position || a.position == b.position && (a.best < b.best ||
				a.best == b.best && before(i, pick)) {
				pick = i
			}
		}
		object := states[pick].object
		opened := states[pick].best == infinite
		if opened {
			object = len(s.Sizes)
		}
		s.assign(pick, object)
		b := records[pick]
		for i, r := range records {
			st := &states[i]
			if s.Of[i] >= 0 || !opened && st.distance[object] == infinite {
				continue
			}
			d := infinite
			if b.Last < r.First {
				d = r.First - b.Last
			} else if r.Last < b.First {
				d = b.First - r.Last
			}
			switch {
			case opened:
				st.distance = append(st.distance, d)
			case d == infinite:
				st.distance[object] = infinite
				if st.object == object {
					st.best, st.object = infinite, -1
					for o, od := range st.distance {
						if od < st.best {
							st.best, st.object = od, o
						}
					}
				}
			default:
				st.distance[object] = min(st.distance[object], d)
			}
			if d < st.best {
				st.best, st.object = d, object
			}
		}
	}
	return s
}

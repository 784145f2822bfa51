package lifetime

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/integer"
)

// An Overlap permits two records to share bytes at the one operator at which From ends and To
// begins, although the operator needs both: its kernel writes To from the first byte on while
// it reads From, and overwrites only bytes of From that it no longer needs. Blacker 2020 calls
// this diagonal memory optimisation (arXiv 2010.01668).
//
// The two may share bytes at the operator if To begins at least Distance bytes before From:
//
//	offset of From - offset of To >= Distance
//
// At all other positions they share none, and neither shares bytes with other records.
type Overlap struct {
	// From and To are indexes of records.
	From, To int
	// At is the position of the operator: the last of From and the first of To.
	At int
	// Distance is in bytes, and exact: plans round it up to their alignment. It is below the
	// size of To, since at that distance no byte is shared. It may be negative: then To may
	// begin after the first byte of From. At minus the size of From, every offset is permitted.
	Distance int64
	// Why is the justification for people: the operator, and whose kernels.
	Why string
}

// A Range is a range of differences between two offsets in bytes, both ends inclusive.
type Range struct{ Lo, Hi int64 }

// Forbidden returns the differences (offset of record b - offset of record a) that remain
// forbidden with the overlaps and takeovers, by indexes of records, a below b: ranges in
// ascending order, separated by at least one number. It returns no range for records that are
// never alive together or hold no byte.
func Forbidden(records []Record, overlaps []Overlap, takeovers []Takeover) func(a, b int) []Range {
	permitted := map[[2]int]Overlap{}
	for _, o := range overlaps {
		o.Distance = o.rounded(records)
		permitted[[2]int{min(o.From, o.To), max(o.From, o.To)}] = o
	}
	places := map[[2]int][]int64{}
	for _, t := range takeovers {
		pair := [2]int{min(t.From, t.To), max(t.From, t.To)}
		if t.From > t.To {
			t.Offset = -t.Offset
		}
		places[pair] = append(places[pair], t.Offset)
	}
	forbidden := allowOverlaps(records, permitted)
	return func(a, b int) []Range {
		list := forbidden(a, b)
		for _, place := range places[[2]int{a, b}] {
			list = without(list, place)
		}
		return list
	}
}

// allowOverlaps returns the ranges that remain forbidden with the permitted overlaps, by pairs of
// records.
func allowOverlaps(records []Record, permitted map[[2]int]Overlap) func(a, b int) []Range {
	return func(a, b int) []Range {
		r, s := records[a], records[b]
		if !r.Overlaps(s) || r.Size == 0 || s.Size == 0 {
			return nil
		}
		o, ok := permitted[[2]int{a, b}]
		if len(r.Gaps) == 0 && len(s.Gaps) == 0 && !ok {
			return []Range{{1 - s.Size, r.Size - 1}}
		}
		var list []Range
		for p, q := range PiecesTogether(r, s) {
			first, last := max(p.First, q.First), min(p.Last, q.Last)
			forbidden := Range{p.Lo - q.Hi + 1, p.Hi - q.Lo - 1}
			if ok && first == o.At && last == o.At {
				forbidden = o.narrowed(forbidden, a)
			}
			list = append(list, forbidden)
		}
		return Union(list)
	}
}

// narrowed removes the differences that the overlap permits from a range; from is the record
// that they are measured from.
func (o Overlap) narrowed(r Range, from int) Range {
	if o.From == from {
		r.Lo = max(r.Lo, 1-o.Distance)
	} else {
		r.Hi = min(r.Hi, o.Distance-1)
	}
	return r
}

// without removes one number from ranges.
func without(list []Range, number int64) []Range {
	i := slices.IndexFunc(list, func(r Range) bool { return r.Lo <= number && number <= r.Hi })
	if i < 0 {
		return list
	}
	var parts []Range
	for _, r := range []Range{{list[i].Lo, number - 1}, {number + 1, list[i].Hi}} {
		if r.Lo <= r.Hi {
			parts = append(parts, r)
		}
	}
	return slices.Replace(slices.Clone(list), i, i+1, parts...)
}

// rounded returns the smallest distance that the two records can have: their offsets are
// multiples of the common divisor of both alignments.
func (o Overlap) rounded(records []Record) int64 {
	return integer.RoundUp(o.Distance, integer.GCD(records[o.From].Alignment(), records[o.To].Alignment()))
}

// Union returns the numbers of all ranges as ascending ranges that neither intersect nor touch, and
// overwrites the list.
func Union(list []Range) []Range {
	if byLow := func(a, b Range) int { return cmp.Compare(a.Lo, b.Lo) }; !slices.IsSortedFunc(list, byLow) {
		slices.SortFunc(list, byLow)
	}
	kept := list[:0]
	for _, r := range list {
		switch last := len(kept) - 1; {
		case r.Lo > r.Hi:
		case last >= 0 && r.Lo <= kept[last].Hi+1:
			kept[last].Hi = max(kept[last].Hi, r.Hi)
		default:
			kept = append(kept, r)
		}
	}
	return kept
}

// LeastBreadth returns the maximum over all positions of the bytes in use, if the overlaps
// there share as many as they may: a lower bound for every plan.
func LeastBreadth(records []Record, overlaps []Overlap) int64 {
	spared := Spared(records, overlaps)
	least := int64(0)
	for _, section := range Sections(records) {
		breadth := section.Breadth
		if section.First == section.Last {
			breadth -= spared[section.First]
		}
		least = max(least, breadth)
	}
	return least
}

// Spared returns, by position, the maximum number of bytes that overlaps save there.
func Spared(records []Record, overlaps []Overlap) map[int]int64 {
	byMade := map[int]int64{}
	spared := map[int]int64{}
	for _, o := range overlaps {
		// An output shares no byte twice, because its inputs are disjoint.
		bytes := min(o.maxShared(records), records[o.To].Size-byMade[o.To])
		byMade[o.To] += bytes
		spared[o.At] += bytes
	}
	return spared
}

// maxShared returns the maximum number of bytes that the two records of an overlap can share.
func (o Overlap) maxShared(records []Record) int64 {
	return max(0, min(records[o.To].Size-max(o.rounded(records), 0), records[o.From].Size))
}

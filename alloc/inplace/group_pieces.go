package inplace

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// Loose reports whether one of m.Records has bytes that are free at times between bytes in use. That
// happens if records lie apart within a larger one that is not alive. A plan of m.Records leaves these
// bytes free; the best plan with the same takeovers may use them.
func (m *Merged) Loose() bool { return slices.Contains(m.loose, true) }

// Held returns the bytes of m.Records in use over time. A loose record becomes one record for each time
// without a change, with the size that the members take then. records are those given to [Merge]. The
// breadth of the result is a lower bound of all plans with the same takeovers, including those that use
// bytes that are free at times.
func (m *Merged) Held(records []lifetime.Record) []lifetime.Record {
	var held []lifetime.Record
	for k, group := range m.Groups {
		if !m.loose[k] {
			held = append(held, m.Records[k])
			continue
		}
		for _, s := range segments(records, group, m.within) {
			held = append(held, lifetime.Record{First: s.First, Last: s.Last, Size: s.used})
		}
	}
	return held
}

// PeakInUse returns the first position at which the most bytes are in use by records at offsets in
// bytes, less the bytes that are spared at each position. Bytes that several records hold count once.
func PeakInUse(records []lifetime.Record, offsets []int64, spared map[int]int64) (position int, bytes int64) {
	all := make([]int, len(records))
	for i := range all {
		all[i] = i
	}
	bytes = -1
	for _, s := range segments(records, all, offsets) {
		for at := s.First; at <= s.Last; at++ {
			if used := s.used - spared[at]; used > bytes {
				position, bytes = at, used
			}
			if len(spared) == 0 {
				break
			}
		}
	}
	return position, max(bytes, 0)
}

// A segment is a time without a change in a group, the bytes from the first to the last that its
// records take, and the number of bytes used.
type segment struct {
	lifetime.Piece
	used int64
}

// segments cuts the lifetime of a group at each change of the bytes that its records take. within are
// the offsets of records in the group.
func segments(records []lifetime.Record, group []int, within []int64) (list []segment) {
	var pieces []lifetime.Piece // with the bytes of the group
	var changes []int
	for _, i := range group {
		// A record may end, or even begin, in a gap that holds no bytes.
		changes = append(changes, records[i].First, records[i].Last+1)
		for p := range records[i].Pieces {
			p.Lo, p.Hi = p.Lo+within[i], p.Hi+within[i]
			pieces = append(pieces, p)
			changes = append(changes, p.First, p.Last+1)
		}
	}
	slices.SortStableFunc(pieces, func(a, b lifetime.Piece) int { return cmp.Compare(a.First, b.First) })
	slices.Sort(changes)
	changes = slices.Compact(changes)
	var alive []lifetime.Piece
	for c, first := range changes[:max(len(changes)-1, 0)] {
		alive = slices.DeleteFunc(alive, func(p lifetime.Piece) bool { return p.Last < first })
		for ; len(pieces) > 0 && pieces[0].First == first; pieces = pieces[1:] {
			alive = append(alive, pieces[0])
		}
		list = append(list, taken(alive, first, changes[c+1]-1))
	}
	return list
}

// taken returns the segment of pieces between two positions without a change.
func taken(alive []lifetime.Piece, first, last int) segment {
	s := segment{Piece: lifetime.Piece{First: first, Last: last}}
	slices.SortStableFunc(alive, func(a, b lifetime.Piece) int { return cmp.Compare(a.Lo, b.Lo) })
	end := int64(-1)
	for _, p := range alive {
		if p.Lo >= p.Hi {
			continue
		}
		if end < 0 {
			s.Lo, end = p.Lo, p.Lo
		}
		if from := max(p.Lo, end); p.Hi > from {
			s.used += p.Hi - from
			end = p.Hi
		}
	}
	s.Hi = max(end, 0)
	return s
}

// gaps returns the gaps of a group of a size, and whether bytes between others are free at times.
func gaps(records []lifetime.Record, group []int, within []int64, size int64) (list []lifetime.Gap, loose bool) {
	for _, s := range segments(records, group, within) {
		loose = loose || s.used < s.Hi-s.Lo
		last := len(list) - 1
		switch {
		case s.Lo == 0 && s.Hi == size:
		case last >= 0 && list[last].Last == s.First-1 && list[last].Lo == s.Lo && list[last].Hi == s.Hi:
			list[last].Last = s.Last
		default:
			list = append(list, lifetime.Gap(s.Piece))
		}
	}
	return list, loose
}

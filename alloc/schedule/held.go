package schedule

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// Loose reports whether any of m.Records has bytes that are free at times: where one
// record lies within another, and only one of them is alive. A plan of m.Records leaves
// them free, and the best plan in which the same takeovers happen may not.
func (m *Merged) Loose() bool { return slices.Contains(m.loose, true) }

// Held returns what of m.Records is in use and when: for each the times between which
// nothing changes, and the bytes that its old records, which are those given to [Merge],
// take then. The breadth of these is a lower bound of all plans with the same takeovers,
// also of those that use what is free at times.
func (m *Merged) Held(records []lifetime.Record) []lifetime.Record {
	var held []lifetime.Record
	for k, group := range m.Groups {
		if !m.loose[k] {
			held = append(held, m.Records[k])
			continue
		}
		var changes []int
		for _, i := range group {
			changes = append(changes, records[i].First, records[i].Last+1)
		}
		slices.Sort(changes)
		changes = slices.Compact(changes)
		for c, first := range changes[:len(changes)-1] {
			bytes := m.used(records, group, first)
			held = append(held, lifetime.Record{First: first, Last: changes[c+1] - 1, Size: bytes})
		}
	}
	return held
}

// used returns how many bytes the records of a group take at a position.
func (m *Merged) used(records []lifetime.Record, group []int, position int) (bytes int64) {
	var alive []int
	for _, i := range group {
		if records[i].First <= position && position <= records[i].Last {
			alive = append(alive, i)
		}
	}
	slices.SortFunc(alive, func(a, b int) int { return cmp.Compare(m.within[a], m.within[b]) })
	var end int64
	for _, i := range alive {
		from, to := max(m.within[i], end), m.within[i]+records[i].Size
		if to > from {
			bytes, end = bytes+to-from, to
		}
	}
	return bytes
}

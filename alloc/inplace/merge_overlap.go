package inplace

import "github.com/tflarena/tflarena/lifetime"

// Overlaps returns the overlaps of m.Records, by their indexes, for overlaps of the records passed to [Merge].
// If other records of the two groups are live at the operator, the distance is larger: it keeps the output
// below those in the input's group, and the input above those in the output's group. Overlaps that can
// share no byte are omitted.
func (m *Merged) Overlaps(records []lifetime.Record, overlaps []lifetime.Overlap) (list []lifetime.Overlap) {
	group := make([]int, len(records))
	for k, members := range m.Groups {
		for _, i := range members {
			group[i] = k
		}
	}
	times := make([]timeline, len(m.Groups))
	others := func(record, position int) (lo, hi int64) {
		k := group[record]
		if times[k].list == nil {
			times[k] = timelineOf(records, m.Groups[k]...)
		}
		return m.others(times[k], records, record, position)
	}
	for _, o := range overlaps {
		from, to := m.Within(o.From), m.Within(o.To)
		end := to + records[o.To].Size
		above, _ := others(o.From, o.At)
		_, below := others(o.To, o.At)
		o.Distance = max(o.Distance+to-from, end-above, below-from)
		o.From, o.To = group[o.From], group[o.To]
		if o.From != o.To && o.Distance < end-from {
			list = append(list, o)
		}
	}
	return list
}

// farAway is larger than any offset in a group, in bytes.
const farAway = 1 << 61

// others returns the range of bytes in a group that its records other than one hold at a position, hi
// exclusive: from farAway to -farAway if there are none.
func (m *Merged) others(times timeline, records []lifetime.Record, record, position int) (lo, hi int64) {
	lo, hi = farAway, -farAway
	times.mayOverlap(records, lifetime.Record{First: position, Last: position}, func(i int) bool {
		for p := range records[i].Pieces {
			if i != record && p.First <= position && position <= p.Last && p.Lo < p.Hi {
				lo, hi = min(lo, m.Within(i)+p.Lo), max(hi, m.Within(i)+p.Hi)
			}
		}
		return true
	})
	return lo, hi
}

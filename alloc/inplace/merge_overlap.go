package inplace

import "github.com/tflarena/tflarena/lifetime"

// Overlaps returns the overlaps of m.Records by their indexes: overlaps of old records in two groups. If
// other records of the groups hold bytes at the operator, an overlap's distance is larger: the output lies
// below those in the input's group, and the input above those in the output's. It is left out if they could
// share no byte then. overlaps are by indexes of the old records, which are those given to [Merge].
func (m *Merged) Overlaps(records []lifetime.Record, overlaps []lifetime.Overlap) (list []lifetime.Overlap) {
	group := make([]int, len(records))
	for k, members := range m.Groups {
		for _, i := range members {
			group[i] = k
		}
	}
	times := make([]timeline, len(m.Groups))
	others := func(record, position int) (lifetime.Range, bool) {
		k := group[record]
		if times[k].list == nil {
			times[k] = timelineOf(records, m.Groups[k]...)
		}
		return m.held(times[k], records, record, position)
	}
	for _, o := range overlaps {
		if group[o.From] == group[o.To] {
			continue
		}
		from, to := m.Within(o.From), m.Within(o.To)
		end := to + records[o.To].Size
		above, isAbove := others(o.From, o.At)
		below, isBelow := others(o.To, o.At)
		o.Distance += to - from
		if isAbove {
			o.Distance = max(o.Distance, end-above.Lo)
		}
		if isBelow {
			o.Distance = max(o.Distance, below.Hi+1-from)
		}
		if isAbove && isBelow {
			o.Distance = max(o.Distance, below.Hi+1-above.Lo)
		}
		if (isAbove || isBelow) && o.Distance >= end-from {
			continue
		}
		o.From, o.To = group[o.From], group[o.To]
		list = append(list, o)
	}
	return list
}

// held returns the range of the bytes that the other records of a group hold at a position, relative to
// the group, or false if they hold none.
func (m *Merged) held(times timeline, records []lifetime.Record, record, position int) (bytes lifetime.Range, ok bool) {
	times.mayOverlap(records, lifetime.Record{First: position, Last: position}, func(i int) bool {
		for p := range records[i].Pieces {
			if i == record || p.First > position || position > p.Last || p.Lo >= p.Hi {
				continue
			}
			lo, hi := m.Within(i)+p.Lo, m.Within(i)+p.Hi-1
			if ok {
				lo, hi = min(lo, bytes.Lo), max(hi, bytes.Hi)
			}
			bytes, ok = lifetime.Range{Lo: lo, Hi: hi}, true
		}
		return true
	})
	return bytes, ok
}

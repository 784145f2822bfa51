package inplace

import "github.com/tflarena/tflarena/lifetime"

// Overlaps returns the overlaps of m.Records by their indexes: overlaps of old records in two groups,
// if no other record of either group holds bytes at the operator. overlaps are by indexes of the old
// records, which are those given to [Merge].
func (m *Merged) Overlaps(records []lifetime.Record, overlaps []lifetime.Overlap) (list []lifetime.Overlap) {
	group := make([]int, len(records))
	for k, members := range m.Groups {
		for _, i := range members {
			group[i] = k
		}
	}
	times := make([]timeline, len(m.Groups))
	crowded := func(group, record, position int) bool {
		if times[group].list == nil {
			times[group] = timelineOf(records, m.Groups[group]...)
		}
		return times[group].occupied(records, record, position)
	}
	for _, o := range overlaps {
		from, to := group[o.From], group[o.To]
		if from == to || crowded(from, o.From, o.At) || crowded(to, o.To, o.At) {
			continue
		}
		o.Distance += m.Within(o.To) - m.Within(o.From)
		o.From, o.To = from, to
		list = append(list, o)
	}
	return list
}

// occupied reports whether another record than the given one holds bytes at a position.
func (t timeline) occupied(records []lifetime.Record, record, position int) bool {
	return !t.mayOverlap(records, lifetime.Record{First: position, Last: position}, func(i int) bool {
		if i == record {
			return true
		}
		for p := range records[i].Pieces {
			if p.First <= position && position <= p.Last {
				return false
			}
		}
		return true
	})
}

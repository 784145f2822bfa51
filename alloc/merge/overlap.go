package merge

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// Overlaps returns the overlaps that m.Records have, by their indexes: those of the old records
// that lie in two groups, if no other record of either group holds bytes at the operator. overlaps
// are by indexes of the old records, which are those given to [Merge].
func (m *Merged) Overlaps(records []lifetime.Record, overlaps []lifetime.Overlap) (list []lifetime.Overlap) {
	group := make([]int, len(records))
	for k, members := range m.Groups {
		for _, i := range members {
			group[i] = k
		}
	}
	for _, o := range overlaps {
		from, to := group[o.From], group[o.To]
		if from == to || m.crowded(records, from, o.From, o.At) || m.crowded(records, to, o.To, o.At) {
			continue
		}
		o.Distance += m.Within(o.To) - m.Within(o.From)
		o.From, o.To = from, to
		list = append(list, o)
	}
	return list
}

// crowded reports whether another record of a group than the given one holds bytes at a position.
func (m *Merged) crowded(records []lifetime.Record, group, record, position int) bool {
	return slices.ContainsFunc(m.Groups[group], func(i int) bool {
		if i == record {
			return false
		}
		for p := range records[i].Pieces {
			if p.First <= position && position <= p.Last {
				return true
			}
		}
		return false
	})
}

package schedule

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// A Merged is a problem in which records that share memory for good are one.
type Merged struct {
	// Records are what is planned: of each group one record, alive from the first of them
	// to the last, at the place of the group's first.
	Records []lifetime.Record
	// Groups are the indexes of the old records behind each of Records, ascending.
	Groups [][]int
	// Taken are the takeovers within groups.
	Taken []lifetime.Takeover

	// within is where each old record lies in its group's, in bytes.
	within []int64
	// loose says for each of Records whether some of its bytes are free at times.
	loose []bool
}

// Merge merges records by takeovers, in their order and as far as they agree: two groups
// become one when every two of their records are never alive together, share no byte, or
// lie as a takeover of their own says. A record that is pinned or has gaps, and one for
// which keep is true, stays by itself; keep may be nil.
func Merge(records []lifetime.Record, takeovers []lifetime.Takeover, keep func(record int) bool) *Merged {
	m := newMerger(records, takeovers)
	for _, t := range takeovers {
		if keep == nil || !keep(t.From) && !keep(t.To) {
			m.join(t)
		}
	}
	out := &Merged{within: make([]int64, len(records))}
	for _, t := range takeovers {
		if m.group[t.From] == m.group[t.To] && m.at[t.To]-m.at[t.From] == t.Offset {
			out.Taken = append(out.Taken, t)
		}
	}
	for i := range records {
		if m.group[i] == i {
			slices.Sort(m.members[i])
			out.Groups = append(out.Groups, m.members[i])
		}
	}
	slices.SortFunc(out.Groups, func(a, b []int) int { return a[0] - b[0] })
	for _, group := range out.Groups {
		r := m.one(group, out.within)
		out.Records = append(out.Records, r)
		out.loose = append(out.loose, slices.ContainsFunc(group, func(i int) bool { return records[i].Size != r.Size }))
	}
	return out
}

// Whole returns the takeovers between records of the same size. They only ever make a
// plan smaller; where a record lies within a larger one, its life may keep all of that
// from being used otherwise.
func Whole(records []lifetime.Record, takeovers []lifetime.Takeover) []lifetime.Takeover {
	return slices.DeleteFunc(slices.Clone(takeovers), func(t lifetime.Takeover) bool {
		return t.Offset != 0 || records[t.From].Size != records[t.To].Size
	})
}

// Offsets returns an offset for each of the old records from one for each of
// m.Records, all in bytes.
func (m *Merged) Offsets(offsets []int64) []int64 {
	all := make([]int64, len(m.within))
	for k, group := range m.Groups {
		for _, i := range group {
			all[i] = m.Within(i) + offsets[k]
		}
	}
	return all
}

// Within returns how far behind the beginning of its group's record an old record lies,
// in bytes.
func (m *Merged) Within(record int) int64 { return m.within[record] }

type merger struct {
	records   []lifetime.Record
	permitted map[[2]int]int64
	// group is the number of each record's group, members its records, and at where each
	// lies, counted from any place that is the same for all of the group.
	group   []int
	members [][]int
	at      []int64
}

func newMerger(records []lifetime.Record, takeovers []lifetime.Takeover) *merger {
	n := len(records)
	m := &merger{records: records, permitted: map[[2]int]int64{}, group: make([]int, n), members: make([][]int, n), at: make([]int64, n)}
	for i := range records {
		m.group[i], m.members[i] = i, []int{i}
	}
	for _, t := range takeovers {
		m.permitted[[2]int{t.From, t.To}] = t.Offset
		m.permitted[[2]int{t.To, t.From}] = -t.Offset
	}
	return m
}

// join makes one group of those of two records, where it may.
func (m *merger) join(t lifetime.Takeover) {
	a, b := m.group[t.From], m.group[t.To]
	if a == b || m.alone(t.From) || m.alone(t.To) || !m.records[t.From].Overlaps(m.records[t.To]) {
		return // who never meets needs no leave
	}
	// How far the members of b move, for To to lie where it has to.
	move := m.at[t.From] + t.Offset - m.at[t.To]
	for _, x := range m.members[a] {
		for _, y := range m.members[b] {
			if m.clash(x, y, m.at[x], m.at[y]+move) {
				return
			}
		}
	}
	for _, y := range m.members[b] {
		m.group[y] = a
		m.at[y] += move
	}
	m.members[a], m.members[b] = append(m.members[a], m.members[b]...), nil
}

// clash reports whether two records may not lie at these places.
func (m *merger) clash(x, y int, atX, atY int64) bool {
	r, s := m.records[x], m.records[y]
	if !r.Overlaps(s) || atX+r.Size <= atY || atY+s.Size <= atX {
		return false
	}
	offset, ok := m.permitted[[2]int{x, y}]
	return !ok || atY-atX != offset
}

func (m *merger) alone(i int) bool { return m.records[i].Pinned || len(m.records[i].Gaps) > 0 }

// one returns the record of a group, and notes where its members lie in it.
func (m *merger) one(group []int, within []int64) lifetime.Record {
	r := m.records[group[0]]
	start, end := m.at[group[0]], m.at[group[0]]+r.Size
	for _, i := range group[1:] {
		s := m.records[i]
		r.First, r.Last = min(r.First, s.First), max(r.Last, s.Last)
		r.Align = common(r.Alignment(), s.Alignment())
		start, end = min(start, m.at[i]), max(end, m.at[i]+s.Size)
	}
	for _, i := range group {
		within[i] = m.at[i] - start
	}
	r.Size = end - start
	return r
}

// common returns the least common multiple of two alignments.
func common(a, b int64) int64 {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

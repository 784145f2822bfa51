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
}

// Merge merges records by takeovers, in their order and as far as they agree: two groups
// become one when every two of their records either are never alive together or may
// share memory by a takeover of their own. A record that is pinned or has gaps, and one
// for which keep is true, stays by itself; keep may be nil.
func Merge(records []lifetime.Record, takeovers []lifetime.Takeover, keep func(record int) bool) *Merged {
	m := &merger{records: records, permitted: map[[2]int]bool{}, group: make([]int, len(records)), members: make([][]int, len(records))}
	for i := range records {
		m.group[i], m.members[i] = i, []int{i}
	}
	for _, t := range takeovers {
		m.permitted[pair(t.From, t.To)] = true
	}
	out := &Merged{}
	for _, t := range takeovers {
		if keep != nil && (keep(t.From) || keep(t.To)) {
			continue
		}
		m.join(t.From, t.To)
	}
	for _, t := range takeovers {
		if m.group[t.From] == m.group[t.To] {
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
		out.Records = append(out.Records, m.one(group))
	}
	return out
}

// Offsets returns an offset for each of the old records from one for each of
// m.Records, all in bytes.
func (m *Merged) Offsets(offsets []int64) []int64 {
	n := 0
	for _, group := range m.Groups {
		n += len(group)
	}
	all := make([]int64, n)
	for k, group := range m.Groups {
		for _, i := range group {
			all[i] = offsets[k]
		}
	}
	return all
}

type merger struct {
	records   []lifetime.Record
	permitted map[[2]int]bool
	// group is the number of each record's group, members its records.
	group   []int
	members [][]int
}

func pair(i, j int) [2]int { return [2]int{min(i, j), max(i, j)} }

// join makes one group of those of two records, where it may.
func (m *merger) join(i, j int) {
	a, b := m.group[i], m.group[j]
	if a == b || m.alone(i) || m.alone(j) || m.records[i].Size != m.records[j].Size {
		return
	}
	for _, x := range m.members[a] {
		for _, y := range m.members[b] {
			if m.records[x].Overlaps(m.records[y]) && !m.permitted[pair(x, y)] {
				return
			}
		}
	}
	if len(m.members[a]) < len(m.members[b]) {
		a, b = b, a
	}
	for _, x := range m.members[b] {
		m.group[x] = a
	}
	m.members[a], m.members[b] = append(m.members[a], m.members[b]...), nil
}

func (m *merger) alone(i int) bool { return m.records[i].Pinned || len(m.records[i].Gaps) > 0 }

// one returns the record of a group.
func (m *merger) one(group []int) lifetime.Record {
	r := m.records[group[0]]
	for _, i := range group[1:] {
		s := m.records[i]
		r.First, r.Last = min(r.First, s.First), max(r.Last, s.Last)
		r.Align = common(r.Alignment(), s.Alignment())
	}
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

package inplace

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// A Merged is a problem with records that share memory permanently merged.
type Merged struct {
	// Records are the records to plan: one for each group, at the index of the group's first member in
	// the list. It is alive from the first position of any member to the last, with gaps where the
	// members do not take all its bytes.
	Records []lifetime.Record
	// Groups lists the old records of each of Records by index, ascending.
	Groups [][]int
	// Taken are the takeovers used, all of them within groups.
	Taken []lifetime.Takeover

	// within is the offset in bytes of each old record in its group.
	within []int64
	// loose reports for each of Records whether some of its bytes are free at times between bytes in
	// use, which a gap cannot express.
	loose []bool
}

// Merge joins records by takeovers, in the order of the list and as far as the takeovers are
// compatible. Two groups are joined if any two of their records are never alive together, share no
// byte, or lie as a takeover of their own permits. One of the two groups also has to lie within the
// other, except for alignment padding: a group that keeps growing takes more than it saves. A pinned
// record stays by itself, and so does a record for which keep is true; keep may be nil. For adversarial
// problems Merge joins fewer records, so that its work stays bounded.
func Merge(records []lifetime.Record, takeovers []lifetime.Takeover, keep func(record int) bool) *Merged {
	m := newMerger(records, takeovers)
	for _, t := range takeovers {
		if keep == nil || !keep(t.From) && !keep(t.To) {
			m.join(t)
		}
	}
	return m.merged(takeovers)
}

// merged returns the groups and the takeovers within them.
func (m *merger) merged(takeovers []lifetime.Takeover) *Merged {
	out := &Merged{within: make([]int64, len(m.records))}
	for _, t := range takeovers {
		if m.group[t.From] == m.group[t.To] && m.at[t.To]-m.at[t.From] == t.Offset {
			out.Taken = append(out.Taken, t)
		}
	}
	for i := range m.records {
		if m.group[i] == i {
			slices.Sort(m.members[i])
			out.Groups = append(out.Groups, m.members[i])
		}
	}
	slices.SortStableFunc(out.Groups, func(a, b []int) int { return a[0] - b[0] })
	for _, group := range out.Groups {
		r, loose := m.mergedRecord(group, out.within)
		out.Records, out.loose = append(out.Records, r), append(out.loose, loose)
	}
	return out
}

// Placed is [Merge] for records with offsets in bytes: it joins records wherever two that are alive
// together lie as a takeover permits. It does not check the offsets. If a merged record is loose (see
// [Merged.Loose]), another record may use the bytes that it leaves free.
func Placed(records []lifetime.Record, takeovers []lifetime.Takeover, offsets []int64) *Merged {
	m := newMerger(records, nil)
	copy(m.at, offsets)
	for i, r := range records {
		m.extents[i].start, m.extents[i].end = offsets[i], offsets[i]+r.Size
	}
	for _, t := range takeovers {
		a, b := m.group[t.From], m.group[t.To]
		if a != b && offsets[t.To]-offsets[t.From] == t.Offset && records[t.From].Overlaps(records[t.To]) {
			m.extents[a].start, m.extents[a].end = min(m.extents[a].start, m.extents[b].start), max(m.extents[a].end, m.extents[b].end)
			m.unite(a, b, 0)
		}
	}
	return m.merged(takeovers)
}

// Whole returns the takeovers between records of the same size, which never make a plan larger. Other
// takeovers can, because a record that is joined with a larger one has to stay with it.
func Whole(records []lifetime.Record, takeovers []lifetime.Takeover) []lifetime.Takeover {
	return slices.DeleteFunc(slices.Clone(takeovers), func(t lifetime.Takeover) bool {
		return t.Offset != 0 || records[t.From].Size != records[t.To].Size
	})
}

// Offsets returns an offset for each old record from the offsets of m.Records, all in bytes.
func (m *Merged) Offsets(offsets []int64) []int64 {
	all := make([]int64, len(m.within))
	for k, group := range m.Groups {
		for _, i := range group {
			all[i] = m.Within(i) + offsets[k]
		}
	}
	return all
}

// Within returns the offset in bytes of an old record in its group.
func (m *Merged) Within(record int) int64 { return m.within[record] }

type merger struct {
	records   []lifetime.Record
	permitted map[[2]int]int64
	// group is the number of each record's group, members its records, and at the offset of each record
	// from an arbitrary origin of the group.
	group   []int
	members [][]int
	at      []int64
	times   []timeline
	extents []extent
	// comparisonsLeft is the remaining number of record pairs to compare.
	comparisonsLeft int
}

// maxComparisons is the largest number of record pairs to compare: some tenths of a second. Real models
// take a thousandth of that; futile takeovers between large groups could take the cube of their number.
const maxComparisons = 1 << 26

func newMerger(records []lifetime.Record, takeovers []lifetime.Takeover) *merger {
	n := len(records)
	m := &merger{
		records: records, permitted: map[[2]int]int64{}, group: make([]int, n), members: make([][]int, n),
		at: make([]int64, n), extents: make([]extent, n), times: make([]timeline, n), comparisonsLeft: maxComparisons,
	}
	for i, r := range records {
		m.group[i], m.members[i], m.extents[i], m.times[i] = i, []int{i}, extent{0, r.Size, r.Alignment()}, timelineOf(records, i)
	}
	for _, t := range takeovers {
		m.permitted[[2]int{t.From, t.To}] = t.Offset
		m.permitted[[2]int{t.To, t.From}] = -t.Offset
	}
	return m
}

// join joins the groups of two records if permitted.
func (m *merger) join(t lifetime.Takeover) {
	a, b := m.group[t.From], m.group[t.To]
	if a == b || m.isPinned(t.From) || m.isPinned(t.To) || !m.records[t.From].Overlaps(m.records[t.To]) {
		return // Never alive together, so no permission is needed.
	}
	// The shift of b's members that puts To in its place.
	move := m.at[t.From] + t.Offset - m.at[t.To]
	both, ok := m.extents[a].joined(extent{m.extents[b].start + move, m.extents[b].end + move, m.extents[b].align})
	if !ok {
		return
	}
	fits := func(x, y int) bool {
		m.comparisonsLeft--
		return m.comparisonsLeft >= 0 && !m.clash(x, y, m.at[x], m.at[y]+move)
	}
	few, many, swapped := a, b, false
	if len(m.members[b]) < len(m.members[a]) {
		few, many, swapped = b, a, true
	}
	for _, x := range m.members[few] {
		compatible := m.times[many].mayOverlap(m.records, m.records[x], func(y int) bool {
			if swapped {
				return fits(y, x)
			}
			return fits(x, y)
		})
		if !compatible {
			return
		}
	}
	m.extents[a] = both
	m.unite(a, b, move)
}

// unite moves the members of group b into group a.
func (m *merger) unite(a, b int, move int64) {
	for _, y := range m.members[b] {
		m.group[y] = a
		m.at[y] += move
	}
	m.members[a], m.members[b] = append(m.members[a], m.members[b]...), nil
	m.times[a], m.times[b] = m.times[a].with(m.records, m.times[b]), timeline{}
}

// clash reports whether two records may not have these places.
func (m *merger) clash(x, y int, atX, atY int64) bool {
	r, s := m.records[x], m.records[y]
	if !r.Overlaps(s) || atX+r.Size <= atY || atY+s.Size <= atX {
		return false
	}
	if offset, ok := m.permitted[[2]int{x, y}]; ok && atY-atX == offset {
		return false
	}
	m.comparisonsLeft -= len(r.Gaps) + len(s.Gaps)
	return lifetime.Meet(r, s, atX, atY)
}

// An extent is the beginning and end of a group, and its largest alignment.
type extent struct{ start, end, align int64 }

// joined returns the union of two extents if one lies within the other except for alignment.
func (b extent) joined(c extent) (extent, bool) {
	out := extent{min(b.start, c.start), max(b.end, c.end), max(b.align, c.align)}
	grown := out.end - out.start - max(b.end-b.start, c.end-c.start)
	return out, grown < out.align
}

func (m *merger) isPinned(i int) bool { return m.records[i].Pinned }

// mergedRecord returns the record of a group and whether it is loose, and records the offsets of the
// members.
func (m *merger) mergedRecord(group []int, within []int64) (r lifetime.Record, loose bool) {
	r = m.records[group[0]]
	if len(group) == 1 {
		return r, false
	}
	extent := m.extents[m.group[group[0]]]
	for _, i := range group {
		s := m.records[i]
		r.First, r.Last = min(r.First, s.First), max(r.Last, s.Last)
		r.Align = leastCommonMultiple(r.Alignment(), s.Alignment())
		within[i] = m.at[i] - extent.start
	}
	r.Size = extent.end - extent.start
	r.Gaps, loose = gaps(m.records, group, within, r.Size)
	return r, loose
}

func leastCommonMultiple(a, b int64) int64 {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

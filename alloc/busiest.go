package alloc

// busyEnough is how many records must be alive at one position for a busiest to be
// worth its upkeep. Networks stay far below it.
const busyEnough = 256

// A busiest is an occupancy that keeps one union of all records alive at the
// position where the most are. A window that has this position takes the union as
// it is, where an occupancy would merge as many runs as its tree has levels.
type busiest struct {
	everything, rest *occupancy // rest has no record alive at the position
	position         int
	union            []span
	merged           []span
}

// newBusiest returns an empty busiest for records that time has renamed. It is a mere
// occupancy where no position has more than enough records alive.
func newBusiest(time timeline, enough int) *busiest {
	alive := make([]int, time.count+1)
	for i := range time.first {
		alive[time.first[i]]++
		alive[time.last[i]+1]--
	}
	b := &busiest{everything: newOccupancy(time.count), position: -1}
	most := enough
	for p := range time.count {
		if p > 0 {
			alive[p] += alive[p-1]
		}
		if alive[p] > most {
			b.position, most = p, alive[p]
		}
	}
	if b.position >= 0 {
		b.rest = newOccupancy(time.count)
	}
	if b.position >= 0 && most == len(time.first) {
		b.everything = nil // every window has the position
	}
	return b
}

// add takes s from first to last, both inclusive.
func (b *busiest) add(first, last int, s span) {
	if b.everything != nil {
		b.everything.add(first, last, s)
	}
	switch {
	case first <= b.position && b.position <= last:
		b.union, _ = unite(b.union, s)
	case b.position >= 0:
		b.rest.add(first, last, s)
	}
}

// taken returns what [occupancy.taken] does.
func (b *busiest) taken(first, last int) []span {
	if b.position < first || last < b.position {
		return b.everything.taken(first, last)
	}
	rest := b.rest.taken(first, last)
	if len(rest) == 0 {
		return b.union
	}
	b.merged = mergeSpans(b.merged[:0], 0, b.union, rest)
	return b.merged
}

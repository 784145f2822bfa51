package alloc

import "context"

// bySizeShared takes the smallest suitable object. Objects are opened by falling
// size and never grow, so that is the one opened last (Algorithm 2 of the paper,
// whose loop keeps the last suitable object it meets).
func bySizeShared(ctx context.Context, p *problem) (*Plan, error) {
	o := newObjects(p.records)
	time := newTimeline(p.records)
	inUse := newOccupancy(time.count)
	pulse := pulse{ctx: ctx}
	for _, i := range bySizeThenFirst(p.records) {
		if err := pulse.err(); err != nil {
			return nil, err
		}
		id := len(o.sizes) - 1
		if taken := inUse.taken(time.first[i], time.last[i]); len(taken) > 0 && taken[len(taken)-1].hi > int64(id) {
			id = int(taken[len(taken)-1].lo) - 1
		}
		if id < 0 {
			id = o.open(p.records[i].Size)
		}
		o.of[i] = id
		inUse.add(time.first[i], time.last[i], span{int64(id), int64(id) + 1})
	}
	return o.plan(), nil
}

func byBreadthShared(ctx context.Context, p *problem) (*Plan, error) {
	return assignByBreadth(ctx, p, breadthOrder(p.records, false))
}

func byBreadthLateShared(ctx context.Context, p *problem) (*Plan, error) {
	return assignByBreadth(ctx, p, breadthOrder(p.records, true))
}

// assignByBreadth gives each record in order the smallest suitable object that is
// large enough, else the largest suitable one, which grows; lowest number first
// among equals (Pisarchyk and Lee 2020, Algorithm 1).
func assignByBreadth(ctx context.Context, p *problem, order []int) (*Plan, error) {
	o := newObjects(p.records)
	time := newTimeline(p.records)
	inUse := newOccupancy(time.count)
	bySize := sortedList[object]{compare: compareObjects}
	pulse := pulse{ctx: ctx}
	for _, i := range order {
		if err := pulse.err(); err != nil {
			return nil, err
		}
		size := p.records[i].Size
		at := suitable(&bySize, len(o.sizes), inUse.taken(time.first[i], time.last[i]), size)
		if !bySize.valid(at) {
			o.of[i] = o.open(size)
			bySize.insert(object{size, o.of[i]})
		} else if chosen := bySize.at(at); chosen.size >= size {
			o.of[i] = chosen.id
		} else {
			o.assign(i, size, chosen.id)
			bySize.remove(at)
			bySize.insert(object{size, chosen.id})
		}
		id := int64(o.of[i])
		inUse.add(time.first[i], time.last[i], span{id, id + 1})
	}
	return o.plan(), nil
}

// suitable returns the slot of the object to use for size bytes while those in
// taken are in use, of count objects; it is not valid when there is none.
func suitable(bySize *sortedList[object], count int, taken []span, size int64) slot {
	if len(taken) == 1 && taken[0] == (span{0, int64(count)}) {
		return bySize.end() // no need to ask each of them
	}
	start := bySize.seek(object{size, 0})
	for at := start; bySize.valid(at); at = bySize.next(at) {
		if !contains(taken, bySize.at(at).id) {
			return at
		}
	}
	best := slot{-1, 0}
	for at := bySize.prev(start); bySize.valid(at); at = bySize.prev(at) {
		if bySize.valid(best) && bySize.at(at).size < bySize.at(best).size {
			break
		}
		if !contains(taken, bySize.at(at).id) {
			best = at
		}
	}
	return best
}

// contains reports whether object id lies in one of the ascending spans.
func contains(spans []span, id int) bool {
	from, to := 0, len(spans)
	for from < to { // the first span that ends after id
		if middle := (from + to) / 2; spans[middle].hi <= int64(id) {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return from < len(spans) && spans[from].lo <= int64(id)
}

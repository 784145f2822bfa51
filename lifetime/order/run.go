package order

// A run is a set of operators that have run and the bytes alive after them. Sets are reached by
// running and undoing single operators; the order does not matter.
type run struct {
	p     *problem
	count []int32 // the number of operators that have run, of those that touch a value
	ran   int
	live  int64
	steps int64 // steps made, for the budget
}

func newRun(p *problem) *run {
	r := &run{p: p, count: make([]int32, len(p.values)), live: p.base}
	for i := range p.values {
		if p.values[i].entry {
			r.live += p.values[i].size
		}
	}
	return r
}

// step runs v and returns the bytes alive while it runs.
func (r *run) step(v int32) int64 {
	r.steps++
	var freed, shared int64
	hill := r.p.extra[v]
	for k, x := range r.p.touch[v] {
		t := &r.p.values[x]
		begins := r.count[x] == 0 && !t.entry
		if begins {
			r.live += t.size
		}
		r.count[x]++
		ends := int(r.count[x]) == len(t.ops) && !t.kept
		if ends {
			freed += t.size
		}
		if r.p.shared != nil && (ends && !r.p.backward || begins && r.p.backward) {
			shared += r.p.shared[v][k]
		}
	}
	hill += r.live
	if r.p.shared != nil {
		hill -= min(shared, r.p.most[v])
	}
	if r.ran == 0 {
		hill += r.p.first
	}
	if r.ran++; r.ran == len(r.p.touch) {
		hill += r.p.last
	}
	r.live -= freed
	return hill
}

// back undoes v.
func (r *run) back(v int32) {
	for _, x := range r.p.touch[v] {
		t := &r.p.values[x]
		if int(r.count[x]) == len(t.ops) && !t.kept {
			r.live += t.size
		}
		if r.count[x]--; r.count[x] == 0 && !t.entry {
			r.live -= t.size
		}
	}
	r.ran--
}

package coloring

// A fitter decides whether all items of an instance fit into objects of given sizes.
//
// Objects of one size are a class; class 0 is the largest. Each item has an interval of possible
// classes lo..hi, inclusive; at first those not smaller than itself. If each item has one class and no
// clique has more items of a class than the class has objects, then the items of a class can be given
// objects in the order of time, as in any interval graph. So only classes are searched, and only those
// of items in two cliques or more: within one clique it is a matching of items with objects, and Hall's
// condition decides it.
type fitter struct {
	in      *instance
	without rules
	meter   *meter
	limit   int64 // the count of nodes at which to give up

	class       []int // by class, the rank of its size
	objectsUpTo []int // by class, the number of objects in it and the larger ones
	lo          []int
	hi          []int
	// dropped marks items that fit whatever happens to the others; items of several cliques then have
	// their class.
	dropped []bool
	trail   []change

	// weight counts the failures of each clique; the search begins with items in heavy cliques.
	weight []int
	before []int  // scratch of choose, the weights of the cliques before one
	dirty  []bool // cliques whose items have changed
	queue  []int
	// Scratch of hall, by class but for members and next, and of drop.
	members, confined, full, head, next []int
	free                                [][]int32
}

// A change is an item and its previous state.
type change struct {
	item, lo, hi int
	dropped      bool
}

func newFitter(in *instance, m *meter, without rules) *fitter {
	n := len(in.items)
	return &fitter{
		in: in, meter: m, without: without,
		lo: make([]int, n), hi: make([]int, n), dropped: make([]bool, n),
		dirty: make([]bool, len(in.cliques)), weight: make([]int, len(in.cliques)), before: make([]int, len(in.cliques)+1),
		next: make([]int, n),
	}
}

// reset reopens every choice. It reports false if an item is larger than every object.
func (f *fitter) reset(vector []int) bool {
	f.setClasses(vector)
	f.trail, f.queue = f.trail[:0], f.queue[:0]
	for t := range f.dirty {
		f.dirty[t] = true
		f.queue = append(f.queue, t)
	}
	for i, it := range f.in.items {
		f.lo[i], f.hi[i], f.dropped[i] = 0, len(f.class)-1, false
		for f.hi[i] >= 0 && f.class[f.hi[i]] < it.rank {
			f.hi[i]--
		}
		if f.hi[i] < 0 {
			return false
		}
	}
	return true
}

// setClasses makes the classes of a vector.
func (f *fitter) setClasses(vector []int) {
	f.class, f.objectsUpTo = f.class[:0], f.objectsUpTo[:0]
	for k, rank := range vector {
		if rank == 0 {
			break
		}
		if k > 0 && rank == vector[k-1] {
			f.objectsUpTo[len(f.objectsUpTo)-1]++
			continue
		}
		f.class, f.objectsUpTo = append(f.class, rank), append(f.objectsUpTo, k+1)
	}
	f.confined = make([]int, len(f.class))
	f.full = make([]int, len(f.class))
	f.head = make([]int, len(f.class))
}

// objects returns the number of objects in the classes a..b, inclusive.
func (f *fitter) objects(a, b int) int {
	if a == 0 {
		return f.objectsUpTo[b]
	}
	return f.objectsUpTo[b] - f.objectsUpTo[a-1]
}

// set narrows an item to the classes lo..hi. It reports false if no class is left.
func (f *fitter) set(i, lo, hi int) bool {
	lo, hi = max(lo, f.lo[i]), min(hi, f.hi[i])
	if lo == f.lo[i] && hi == f.hi[i] {
		return true
	}
	if lo > hi {
		return false
	}
	f.trail = append(f.trail, change{item: i, lo: f.lo[i], hi: f.hi[i], dropped: f.dropped[i]})
	f.lo[i], f.hi[i] = lo, hi
	for t := f.in.items[i].from; t <= f.in.items[i].to; t++ {
		if !f.dirty[t] {
			f.dirty[t] = true
			f.queue = append(f.queue, t)
		}
	}
	return true
}

func (f *fitter) undo(mark int) {
	for len(f.trail) > mark {
		c := f.trail[len(f.trail)-1]
		f.trail = f.trail[:len(f.trail)-1]
		f.lo[c.item], f.hi[c.item], f.dropped[c.item] = c.lo, c.hi, c.dropped
	}
}

func (f *fitter) clearQueue() {
	for _, t := range f.queue {
		f.dirty[t] = false
	}
	f.queue = f.queue[:0]
}

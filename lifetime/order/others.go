package order

import (
	"math/rand/v2"

	"golang.org/x/exp/slices"
)

// Others returns up to n further valid orders, for a planner that tries several. Their peaks
// are at most r.Peak + slack bytes; all of them differ from r.Order and from each other. They
// come from random walks that start at r.Order and move one operator at a time; the same seed
// gives the same orders on every platform.
func (r *Result) Others(n int, slack int64, seed uint64) [][]int {
	p := r.problem
	if len(p.preds) < 2 || len(p.preds) > maxSearched {
		return nil
	}
	m := newMover(p, r.Order, rand.New(rand.NewPCG(seed, 1)))
	limit := r.Peak + max(slack, 0)
	seen := map[string]bool{orderKey(m.order): true}
	var list [][]int
	for range 4 * max(n, 0) {
		if len(list) == n {
			break
		}
		m.shuffle(limit)
		if key := orderKey(m.order); !seen[key] {
			seen[key] = true
			var order []int
			for _, v := range m.order {
				order = append(order, int(v))
			}
			list = append(list, order)
		}
	}
	return list
}

func orderKey(order []int32) string {
	key := make([]byte, 0, 4*len(order))
	for _, v := range order {
		key = append(key, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	return string(key)
}

// A mover changes an order by moving single operators.
type mover struct {
	p         *problem
	order, at []int32 // at is the index of an operator in the order
	r         *rand.Rand
}

func newMover(p *problem, order []int, r *rand.Rand) *mover {
	m := &mover{p: p, r: r, order: make([]int32, len(order)), at: make([]int32, len(order))}
	for i, v := range order {
		m.order[i], m.at[v] = int32(v), int32(i)
	}
	return m
}

// shuffle tries a number of moves and keeps those within the limit.
func (m *mover) shuffle(limit int64) {
	moves := min(max(len(m.order)/4, 8), 64)
	for tries := 0; moves > 0 && tries < 256; tries++ {
		i := int32(m.r.IntN(len(m.order)))
		low, high := m.bounds(m.order[i])
		if low == high {
			continue
		}
		j := low + m.r.Int32N(high-low+1)
		if i == j {
			continue
		}
		m.move(i, j)
		if m.p.peak(m.order) > limit {
			m.move(j, i)
			continue
		}
		moves--
	}
}

// bounds returns the first and the last index that v may move to.
func (m *mover) bounds(v int32) (low, high int32) {
	low, high = 0, int32(len(m.order)-1)
	for _, u := range m.p.preds[v] {
		low = max(low, m.at[u]+1)
	}
	for _, u := range m.p.succs[v] {
		high = min(high, m.at[u]-1)
	}
	return low, high
}

// move moves the operator at i to j and shifts those between by one.
func (m *mover) move(i, j int32) {
	v := m.order[i]
	m.order = slices.Insert(slices.Delete(m.order, int(i), int(i)+1), int(j), v)
	for k := min(i, j); k <= max(i, j); k++ {
		m.at[m.order[k]] = k
	}
}

package distances

import (
	"cmp"
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/lifetime"
)

// patience is the number of orders without improvement after which a climb restarts from the best.
const patience = 100

// A hillClimber searches for an order that makes a plan within a capacity when each record is placed
// at its lowest offset. It moves records that hold up the highest ones towards the front.
type hillClimber struct {
	*search
	random   *rand.Rand
	rows     []int // placed records
	capacity int64
	steps    int64
	// of the last placement
	offsets []int64
	placed  []bool
	taken   []lifetime.Range
}

// climb searches for a plan of at most capacity bytes and adopts it. It gives up after a number of
// steps.
func (s *search) climb(capacity, steps int64) bool {
	c := s.reduce(capacity)
	climber := &hillClimber{
		search: s, capacity: capacity, steps: steps, random: rand.New(rand.NewPCG(s.seed, uint64(capacity))),
		offsets: make([]int64, len(s.records)), placed: make([]bool, len(s.records)),
	}
	for _, part := range c.parts {
		climber.rows = part
		if !climber.part() {
			return false
		}
	}
	offsets := slices.Clone(climber.offsets)
	placed := make([]bool, len(s.records))
	for _, part := range c.parts {
		for _, i := range part {
			placed[i] = true
		}
	}
	s.finish(offsets, placed, c.later)
	return true
}

// part searches for a plan of one part.
func (c *hillClimber) part() bool {
	var best []int
	least := int64(-1)
	for _, order := range c.orders() {
		over := c.try(order, -1)
		if over == 0 {
			return true
		}
		if least < 0 || over < least {
			best, least = order, over
		}
		if c.steps <= 0 || c.spent() {
			return false
		}
	}
	order, now := slices.Clone(best), least
	for idle := 0; c.steps > 0 && !c.spent(); idle++ {
		if idle == patience {
			copy(order, best)
			now, idle = least, 0
			c.try(order, -1)
		}
		next := c.neighbour(order)
		if over := c.try(next, now); over >= 0 && over <= now {
			if over == 0 {
				return true
			}
			if over < least {
				best, least, idle = slices.Clone(next), over, 0
			}
			order, now = next, over
		}
	}
	return false
}

// try places the records in an order, and returns the sum of the records' excess bytes over the
// capacity: zero for a plan. It gives up with -1 above a non-negative limit.
func (c *hillClimber) try(order []int, limit int64) (over int64) {
	c.nodes++
	for _, i := range c.rows {
		if c.placed[i] = c.records[i].Pinned; c.placed[i] {
			c.offsets[i] = c.records[i].Offset
		}
	}
	for _, i := range order {
		if c.steps--; !c.records[i].Pinned {
			c.offsets[i], c.placed[i] = c.lowest(i), true
		}
		over += max(0, c.offsets[i]+c.records[i].Size-c.capacity)
		if limit >= 0 && over > limit {
			return -1
		}
	}
	return over
}

func (c *hillClimber) lowest(i int) int64 {
	c.taken = c.taken[:0]
	for _, a := range c.arcs[i] {
		if c.placed[a.to] {
			c.taken = a.appendForbidden(c.taken, c.offsets[a.to])
		}
	}
	c.steps -= int64(len(c.arcs[i]) + 4*len(c.taken))
	return lowest(c.taken, c.records[i].Alignment())
}

// neighbour returns an order that moves a record that is too high, or one around it, forward.
func (c *hillClimber) neighbour(order []int) []int {
	var high []int
	for k, i := range order {
		if !c.records[i].Pinned && c.placed[i] && c.offsets[i]+c.records[i].Size > c.capacity {
			high = append(high, k)
		}
	}
	next := slices.Clone(order)
	from := c.random.IntN(len(order))
	if len(high) > 0 {
		from = high[c.random.IntN(len(high))]
		if near := c.arcs[order[from]]; c.random.IntN(2) == 0 && len(near) > 0 {
			if k := slices.Index(order, near[c.random.IntN(len(near))].to); k >= 0 {
				from = k
			}
		}
	}
	to := c.random.IntN(len(order))
	i := next[from]
	next = slices.Delete(next, from, from+1)
	return slices.Insert(next, min(to, len(next)), i)
}

// orders returns the initial orders.
func (c *hillClimber) orders() [][]int {
	r := c.records
	area := func(i int) float64 { return float64(r[i].Size) * float64(problem.Length(r[i])+1) }
	var list [][]int
	for _, compare := range []func(i, j int) int{
		func(i, j int) int { return cmp.Compare(c.best[i], c.best[j]) },
		func(i, j int) int { return cmp.Compare(r[j].Size, r[i].Size) },
		func(i, j int) int { return cmp.Compare(area(j), area(i)) },
		func(i, j int) int { return cmp.Compare(problem.Length(r[j]), problem.Length(r[i])) },
		func(i, j int) int { return cmp.Compare(r[j].Last, r[i].Last) },
		func(i, j int) int { return cmp.Compare(r[i].First, r[j].First) },
	} {
		order := slices.Clone(c.rows)
		slices.SortStableFunc(order, compare)
		list = append(list, order)
	}
	return list
}

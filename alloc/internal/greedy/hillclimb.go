package greedy

import (
	"context"
	"math"
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/sets"
	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/internal/integer"
)

const (
	// MaxClimbRecords is the largest number of records that HillClimb improves: the time of a step is
	// quadratic in it.
	MaxClimbRecords = 4096
	// climbSteps is the largest number of exchanges for each record, so that a small problem is quick,
	// and climbWork the largest number of visited spans, a fraction of a second. Vela makes up to
	// 99,999 exchanges whatever the problem.
	climbSteps = 100
	climbWork  = 100_000_000
)

// HillClimb is Vela's search: start as by-urgency; exchange, in the order of placement, two of the
// records that hold up the one with the highest end; place all again at their lowest free offsets, and
// undo the exchange if the total grew.
//
// When ctx ends it returns the best plan so far, Interrupted.
func HillClimb(ctx context.Context, records problem.Records, bound int64) (*problem.Placement, error) {
	offsets, err := ByUrgency(ctx, records)
	if err != nil {
		return nil, err
	}
	plan := &problem.Placement{Offsets: offsets, Total: problem.TotalOf(records, offsets)}
	if len(records) > MaxClimbRecords || plan.Total <= bound {
		return plan, nil
	}
	c := newHillClimber(records)
	plan.Interrupted = c.climb(ctx, plan, bound)
	return plan, nil
}

// A hillClimber places records one by one and stores the record below each.
type hillClimber struct {
	records             problem.Records
	random              *rand.Rand
	order               []int // of placement, without the pinned records
	rank                []int // by record, the inverse of order
	offsets             []int64
	below               []int          // by record: the one whose end it starts at, or -1
	placed              []placedRecord // placed records by offset
	work                int            // visited spans
	support, bystanders []int          // see findSupport
	seen                []bool
}

// A placedRecord is a placed record with its bytes and its lifetime.
type placedRecord struct {
	sets.Span
	first, last int
	record      int
}

func newHillClimber(records problem.Records) *hillClimber {
	n := len(records)
	c := &hillClimber{
		records: records, random: rand.New(rand.NewPCG(1, 1)),
		rank: make([]int, n), offsets: make([]int64, n), below: make([]int, n), seen: make([]bool, n),
	}
	for _, i := range urgencyOrder(records) {
		if !records[i].Pinned {
			c.rank[i] = len(c.order)
			c.order = append(c.order, i)
		}
	}
	return c
}

// climb improves plan until its total is at most bound, a limit is reached, or ctx ends: then it
// returns true.
func (c *hillClimber) climb(ctx context.Context, plan *problem.Placement, bound int64) bool {
	c.placeAll(math.MaxInt64)
	c.findSupport()
	for range climbSteps * len(c.order) {
		if plan.Total <= bound || c.work >= climbWork || len(c.support) < 2 {
			return false
		}
		if deadline.Err(ctx) != nil {
			return true
		}
		i, j := c.pick()
		c.exchange(i, j)
		total := c.placeAll(plan.Total)
		if total > plan.Total {
			c.exchange(i, j)
			continue
		}
		plan.Total = total
		copy(plan.Offsets, c.offsets)
		c.findSupport()
	}
	return false
}

// pick returns two records to exchange. Records that are not alive with the highest one, and yet in its
// way, are the cause of gaps: in three of ten cases the first is one of them (Vela's figure).
func (c *hillClimber) pick() (i, j int) {
	from := c.support
	if c.random.IntN(101) < 30 && len(c.bystanders) > 0 {
		from = c.bystanders
	}
	i = from[c.random.IntN(len(from))]
	last := len(c.support) - 1
	if j = c.support[c.random.IntN(last)]; i == j {
		j = c.support[last]
	}
	return i, j
}

func (c *hillClimber) exchange(i, j int) {
	c.rank[i], c.rank[j] = c.rank[j], c.rank[i]
	c.order[c.rank[i]], c.order[c.rank[j]] = i, j
}

// placeAll places all records and returns the total, or a number above limit if it exceeds limit.
func (c *hillClimber) placeAll(limit int64) int64 {
	c.placed = c.placed[:0]
	var total int64
	for i, r := range c.records {
		if r.Pinned {
			c.below[i] = -1
			c.place(i, r.Offset)
			total = max(total, r.Offset+r.Size)
		}
	}
	for _, i := range c.order {
		c.place(i, c.lowest(i))
		if total = max(total, c.offsets[i]+c.records[i].Size); total > limit {
			break
		}
	}
	return total
}

// lowest returns the lowest free offset for record i and stores the record below it.
func (c *hillClimber) lowest(i int) int64 {
	r := &c.records[i]
	c.below[i] = -1
	var offset int64
	for k := range c.placed {
		s := &c.placed[k]
		if s.last < r.First || r.Last < s.first || s.Hi <= offset {
			continue
		}
		if s.Lo-offset >= r.Size {
			c.work += k
			return offset
		}
		offset, c.below[i] = integer.RoundUp(s.Hi, r.Alignment()), s.record
	}
	c.work += len(c.placed)
	return offset
}

func (c *hillClimber) place(i int, offset int64) {
	c.offsets[i] = offset
	r := &c.records[i]
	at, _ := slices.BinarySearchFunc(c.placed, offset+1, func(s placedRecord, lo int64) int {
		if s.Lo < lo {
			return -1
		}
		return 1
	})
	c.placed = slices.Insert(c.placed, at, placedRecord{Span: sets.Span{Lo: offset, Hi: offset + r.Size}, first: r.First, last: r.Last, record: i})
}

// findSupport collects the records that hold up the one with the highest end: itself, the records
// alive with it, and all records that any of these rests on, except pinned ones. Bystanders are the
// collected ones that are not alive with it.
func (c *hillClimber) findSupport() {
	top := 0
	for i, r := range c.records {
		if c.offsets[i]+r.Size > c.offsets[top]+c.records[top].Size {
			top = i
		}
	}
	clear(c.seen)
	c.support, c.bystanders = c.support[:0], c.bystanders[:0]
	c.addSupport(top)
	for i, r := range c.records {
		if r.Overlaps(c.records[top]) {
			c.addSupport(i)
		}
	}
	for _, i := range c.support {
		if !c.records[i].Overlaps(c.records[top]) {
			c.bystanders = append(c.bystanders, i)
		}
	}
}

// addSupport collects record i and the records below it.
func (c *hillClimber) addSupport(i int) {
	for ; i >= 0 && !c.seen[i]; i = c.below[i] {
		c.seen[i] = true
		if !c.records[i].Pinned {
			c.support = append(c.support, i)
		}
	}
}

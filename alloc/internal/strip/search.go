package strip

import (
	"cmp"
	"context"
	"math/bits"
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/deadline"
)

const (
	// MaxRecords is the largest number of records that Search searches.
	MaxRecords = 100_000
	// searchWork is the work limit in the unit of packer.work: about a second. The exchange of single
	// records stops at movesWork, after a fraction of that, or after movesRuns runs for each record, so
	// that a small problem is quick.
	searchWork = 150_000_000
	movesWork  = 40_000_000
	movesRuns  = 100
	// searchMoves is the largest number of records for the exchange of single ones: among more, one
	// exchange rarely matters.
	searchMoves = 4096
)

// Search is a random local search over the order of strip-packing, as done for rectangles (Wei et al.
// 2011): from the best order of strip-packing-orders, first orders by random weights of duration, size
// and urgency, with some noise; then exchanges and moves of single records in the best one. A change
// stays unless the total grows. It stops at the lower bound and after a fixed amount of work. With
// pinned records it is strip-packing-orders.
//
// When ctx ends it returns the best plan so far, Interrupted.
func Search(ctx context.Context, records problem.Records, bound int64) (*problem.Placement, error) {
	return SearchFrom(ctx, records, bound, 1)
}

// SearchFrom is [Search] with other random numbers.
func SearchFrom(ctx context.Context, records problem.Records, bound int64, seed uint64) (*problem.Placement, error) {
	plan, order, err := bestOrder(ctx, records, bound)
	if err != nil || plan.Interrupted || plan.Total <= bound ||
		len(records) > MaxRecords || anyPinned(records) {
		return plan, err
	}
	s := &searcher{
		packer: newPacker(records), plan: plan, order: order, bound: bound,
		random: rand.New(rand.NewPCG(seed, 1)),
	}
	if err := s.search(ctx); err != nil {
		plan.Interrupted = true
	}
	return plan, nil
}

// A searcher is the state of Search.
type searcher struct {
	*packer
	plan   *problem.Placement // the best so far
	order  []int              // its order
	bound  int64
	random *rand.Rand
	runs   int
}

func (s *searcher) search(ctx context.Context) error {
	weigh := newWeigher(s.records)
	var best weights
	for again := false; s.shouldDraw(); again = !again {
		with := drawWeights(s.random, best, again)
		order := weigh.order(s.random, with)
		if kept, err := s.try(ctx, order, s.plan.Total-1); err != nil {
			return err
		} else if kept {
			s.order, best = order, with
		}
	}
	for s.shouldMove() {
		from, to := s.random.IntN(len(s.order)), s.random.IntN(len(s.order))
		change := exchange
		if s.random.IntN(4) == 0 {
			change = move
		}
		change(s.order, from, to)
		if kept, err := s.try(ctx, s.order, s.plan.Total); err != nil {
			return err
		} else if !kept {
			change(s.order, to, from)
		}
	}
	return nil
}

// shouldDraw reports whether to draw another order. If single records are exchanged later, that takes a
// quarter of the work.
func (s *searcher) shouldDraw() bool {
	if len(s.order) > searchMoves {
		return s.plan.Total > s.bound && s.work < searchWork
	}
	return s.plan.Total > s.bound && s.work < movesWork/4 && s.runs < movesRuns*len(s.order)/4
}

// shouldMove reports whether to exchange or move another record.
func (s *searcher) shouldMove() bool {
	return s.plan.Total > s.bound && len(s.order) <= searchMoves &&
		s.work < movesWork && s.runs < movesRuns*len(s.order)
}

// try packs by order and keeps the plan if its total is within limit.
func (s *searcher) try(ctx context.Context, order []int, limit int64) (kept bool, err error) {
	s.runs++
	if err := deadline.Err(ctx); err != nil { // a short run does not poll
		return false, err
	}
	total, err := s.pack(ctx, order, limit)
	if err != nil || total > limit {
		return false, err
	}
	s.plan.Total = total
	copy(s.plan.Offsets, s.offsets)
	return true, nil
}

func exchange(order []int, from, to int) { order[from], order[to] = order[to], order[from] }

// move moves the item at from to to.
func move(order []int, from, to int) {
	i := order[from]
	if from < to {
		copy(order[from:to], order[from+1:to+1])
	} else {
		copy(order[to+1:from+1], order[to:from])
	}
	order[to] = i
}

// A weigher sorts records by a weighted sum of the logarithms of duration, size and urgency, all in
// integers, so that the order does not depend on the machine.
type weigher struct {
	duration, size, urgency []int64
	sum                     []int64
}

func newWeigher(records problem.Records) *weigher {
	n := len(records)
	w := &weigher{duration: make([]int64, n), size: make([]int64, n), urgency: make([]int64, n), sum: make([]int64, n)}
	urgent := problem.Urgencies(records)
	for i, r := range records {
		w.duration[i] = log2(max(problem.Length(r)+1, 1))
		w.size[i] = log2(uint64(r.Size))
		w.urgency[i] = log2(uint64(urgent[i]))
	}
	return w
}

// weights are the factors of a weigher; noise is the largest random addition.
type weights struct{ duration, size, urgency, noise int64 }

// maxNoise is the largest noise: as much as eight doublings at weight one.
const maxNoise = 8 << logBits

// drawWeights returns new weights, half of them with urgency and half with noise, or the best so far
// again, with other noise.
func drawWeights(random *rand.Rand, best weights, again bool) weights {
	if again && best != (weights{}) {
		best.noise = 1 + random.Int64N(maxNoise)
		return best
	}
	return weights{
		duration: 1 + random.Int64N(31),
		size:     random.Int64N(24),
		urgency:  random.Int64N(2) * random.Int64N(320),
		noise:    random.Int64N(2) * random.Int64N(maxNoise),
	}
}

// order returns the records with the largest sums first, equal ones in row order.
func (w *weigher) order(random *rand.Rand, by weights) []int {
	for i := range w.sum {
		w.sum[i] = by.duration*w.duration[i] + by.size*w.size[i] + by.urgency*w.urgency[i]
		if by.noise > 0 {
			w.sum[i] += random.Int64N(by.noise)
		}
	}
	order := problem.Identity(len(w.sum))
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(w.sum[j], w.sum[i]), i-j) })
	return order
}

// logBits is the number of fractional bits of log2.
const logBits = 12

// log2 returns the logarithm of x, at least 1, to base two, times 2^logBits, rounded
// down.
func log2(x uint64) int64 {
	whole := bits.Len64(x) - 1
	mantissa := x << (63 - whole) >> 32 // in [2^31, 2^32)
	log := int64(whole)
	for range logBits {
		mantissa = mantissa * mantissa >> 31
		log *= 2
		if mantissa >= 1<<32 {
			mantissa /= 2
			log++
		}
	}
	return log
}

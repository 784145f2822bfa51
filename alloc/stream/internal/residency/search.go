package residency

import (
	"context"
	"math/rand/v2"
	"time"

	"golang.org/x/exp/slices"
)

// A Choice is a set of resident layers and its latency.
type Choice struct {
	Resident []bool
	Latency  time.Duration
}

// A Search searches for the choice of resident layers with the least latency.
type Search struct {
	eval       *Evaluator
	budget     int64
	random     *rand.Rand
	now, local Choice
	best       Choice
	flipped    []int    // by the last step
	earlier    []Choice // former best choices, the latest last
	// OnBetter, if not nil, is called when the best choice has improved.
	OnBetter func()
	// Nodes counts evaluated choices.
	Nodes int64
}

// NewSearch returns a search that begins with nothing resident. With onDemand, no load begins before
// the layer before it has computed.
func NewSearch(p *Problem, budget int64, seed uint64, onDemand bool) *Search {
	s := &Search{eval: NewEvaluator(p), budget: budget, random: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
	s.eval.OnDemand = onDemand
	s.now.Resident = make([]bool, len(p.Live))
	s.now.Latency = s.latency()
	s.keep()
	return s
}

// Best returns the best choice so far.
func (s *Search) Best() Choice { return Choice{slices.Clone(s.best.Resident), s.best.Latency} }

func (s *Search) latency() time.Duration {
	s.Nodes++
	return s.eval.Latency(s.now.Resident, s.budget)
}

// Earlier returns some former best choices, the fastest first.
func (s *Search) Earlier() []Choice {
	choices := slices.Clone(s.earlier)
	slices.Reverse(choices)
	return choices
}

// history is the number of former best choices to keep.
const history = 8

func (s *Search) keep() {
	if len(s.best.Resident) > 0 && s.best.Latency > s.now.Latency {
		if len(s.earlier) == history {
			s.earlier = slices.Delete(s.earlier, 0, 1)
		}
		s.earlier = append(s.earlier, s.Best())
	}
	s.best.Resident = append(s.best.Resident[:0], s.now.Resident...)
	s.best.Latency = s.now.Latency
	if s.OnBetter != nil {
		s.OnBetter()
	}
}

// The nodes of a round of Improve, and the initial temperatures of its annealing.
const (
	annealNodes = 12_000
	polishNodes = 4_000
	sumsNodes   = 1_000
	warm, hot   = 0.003, 0.02
)

// Improve searches until the latency is at most stop, a number of nodes is spent or ctx ends. Unless
// ctx ends, the result depends only on the seed and the nodes.
func (s *Search) Improve(ctx context.Context, nodes int64, stop time.Duration) {
	end := s.Nodes + nodes
	if len(s.eval.Owners) <= exhaustiveLimit {
		s.all(ctx, end, stop)
		return
	}
	for round := 0; ; round++ {
		for _, work := range []func(){
			func() { s.begin(round) },
			func() { s.anneal(ctx, min(annealNodes, end-s.Nodes), stop, [2]float64{warm, hot}[round/2%2]) },
			func() { s.back(); s.descend(ctx, min(polishNodes, end-s.Nodes)) },
			func() { s.sums(ctx, min(sumsNodes, end-s.Nodes)) },
		} {
			if s.Nodes >= end || s.best.Latency <= stop || ctx.Err() != nil {
				return
			}
			work()
		}
	}
}

// exhaustiveLimit is the largest number of layers with weights for evaluating all choices.
const exhaustiveLimit = 12

// all evaluates every choice.
func (s *Search) all(ctx context.Context, end int64, stop time.Duration) {
	for choice := range 1 << len(s.eval.Owners) {
		if s.Nodes >= end || s.best.Latency <= stop || ctx.Err() != nil {
			return
		}
		for k, i := range s.eval.Owners {
			s.now.Resident[i] = choice>>k&1 == 1
		}
		if s.now.Latency = s.latency(); s.now.Latency < s.best.Latency {
			s.keep()
		}
	}
}

// begin starts a round with the best choice, or with layers by size.
func (s *Search) begin(round int) {
	if round%2 == 0 {
		s.back()
		return
	}
	order := s.eval.bySize()
	if round%4 == 3 {
		slices.Reverse(order)
	}
	s.restart()
	s.fill(order)
}

// back returns to the best choice.
func (s *Search) back() {
	copy(s.now.Resident, s.best.Resident)
	s.now.Latency = s.best.Latency
}

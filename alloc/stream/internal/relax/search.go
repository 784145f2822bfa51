package relax

import (
	"context"
	"math/rand/v2"
	"time"

	"golang.org/x/exp/slices"
)

// A Choice says which layers are resident, and the latency of that.
type Choice struct {
	Resident []bool
	Latency  time.Duration
}

// A Search looks for the choice of resident layers with the least latency.
type Search struct {
	eval       *Evaluator
	budget     int64
	random     *rand.Rand
	now, local Choice
	best       Choice
	flipped    []int    // by the last step
	earlier    []Choice // that were the best before, the latest last
	// OnBetter, when set, is called when the best choice has become better.
	OnBetter func()
	// Nodes counts the choices that were looked at.
	Nodes int64
}

// NewSearch begins with the choice in which nothing is resident. With onDemand no load begins
// before the computing of the layer before has ended.
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

// Earlier returns some choices that were the best before, the fastest first.
func (s *Search) Earlier() []Choice {
	choices := slices.Clone(s.earlier)
	slices.Reverse(choices)
	return choices
}

// history is how many choices are remembered that were the best before.
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

// The shares of a round of Improve, and how hot its annealing begins, as a part of the latency.
const (
	annealNodes = 12_000
	polishNodes = 4_000
	sumsNodes   = 1_000
	warm, hot   = 0.003, 0.02
)

// Improve searches until a latency of stop is reached, a number of nodes is spent or ctx ends.
// What it finds depends on the seed and the nodes alone unless ctx ends.
func (s *Search) Improve(ctx context.Context, nodes int64, stop time.Duration) {
	end := s.Nodes + nodes
	if len(s.eval.Owners) <= few {
		s.all(ctx, end, stop)
		return
	}
	for round := 0; ; round++ {
		for _, work := range []func(){
			func() { s.begin(round) },
			func() { s.anneal(ctx, min(annealNodes, end-s.Nodes), stop, [2]float64{warm, hot}[round/2%2]) },
			func() { s.polishBest(ctx, min(polishNodes, end-s.Nodes)) },
			func() { s.sums(ctx, min(sumsNodes, end-s.Nodes)) },
		} {
			if s.Nodes >= end || s.best.Latency <= stop || ctx.Err() != nil {
				return
			}
			work()
		}
	}
}

// few is how many layers have so few choices that all of them are looked at.
const few = 12

// all looks at every choice.
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

// begin chooses where a round begins: with the best choice, or with layers by their size.
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

package residency

import (
	"context"
	"math"
	"time"

	"golang.org/x/exp/slices"
)

// anneal runs simulated annealing for a number of nodes, or until the latency is at most stop. Heat is
// the initial temperature as a part of the latency.
func (s *Search) anneal(ctx context.Context, nodes int64, stop time.Duration, heat float64) {
	hot, cold := heat*float64(s.best.Latency), 0.000003*float64(s.best.Latency)
	end := s.Nodes + nodes
	for s.Nodes < end && s.best.Latency > stop {
		left := float64(end-s.Nodes) / float64(nodes)
		if s.Nodes%256 == 0 && ctx.Err() != nil {
			return
		}
		s.step(cold * math.Pow(hot/cold, left))
	}
}

// step tries one change: it flips one layer, swaps two, makes one resident and others streamed to
// make room for it, or makes one streamed and others resident in its room.
func (s *Search) step(temperature float64) {
	s.flipped = s.flipped[:0]
	i := s.draw()
	s.flip(i)
	if s.random.IntN(3) > 0 {
		s.flipOther(i)
	}
	latency := s.latency()
	for latency == Never && len(s.flipped) < 40 && s.flipOther(i) {
		latency = s.latency()
	}
	if !s.now.Resident[i] && s.random.IntN(24) == 0 {
		latency = s.refill()
	}
	if !s.accept(latency, temperature) {
		for _, j := range s.flipped {
			s.now.Resident[j] = !s.now.Resident[j]
		}
		return
	}
	s.now.Latency = latency
	if latency < s.best.Latency {
		s.keep()
	}
}

// refill makes up to two more layers streamed, and fills the room with other layers. It returns the
// latency.
func (s *Search) refill() time.Duration {
	for range s.random.IntN(3) {
		s.flipOther(s.flipped[0])
	}
	latency := s.latency()
	var room int64
	for _, i := range s.flipped {
		if !s.now.Resident[i] {
			room += s.eval.Weights[i]
		}
	}
	for range 64 {
		j := s.draw()
		if s.now.Resident[j] || s.eval.Weights[j] > room || slices.Contains(s.flipped, j) {
			continue
		}
		s.flip(j)
		if next := s.latency(); next <= latency {
			latency = next
			room -= s.eval.Weights[j]
			continue
		}
		s.flip(j)
		s.flipped = s.flipped[:len(s.flipped)-2]
	}
	return latency
}

func (s *Search) accept(latency time.Duration, temperature float64) bool {
	loss := float64(latency - s.now.Latency)
	return latency != Never && (loss <= 0 || s.random.Float64() < math.Exp(-loss/temperature))
}

func (s *Search) draw() int { return s.eval.Owners[s.random.IntN(len(s.eval.Owners))] }

// flipOther flips another layer in the state that i now has, and reports whether it found one.
func (s *Search) flipOther(i int) bool {
	for range 8 {
		if j := s.draw(); j != i && s.now.Resident[j] == s.now.Resident[i] {
			s.flip(j)
			return true
		}
	}
	return false
}

func (s *Search) flip(i int) {
	s.now.Resident[i] = !s.now.Resident[i]
	s.flipped = append(s.flipped, i)
}

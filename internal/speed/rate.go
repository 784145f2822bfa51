package speed

import (
	"errors"
	"math"
)

// A Rate is the cost of a MAC of each kind, in the unit of the measurements.
type Rate struct {
	Costs [kinds]float64
	// Bound is the largest relative deviation of a measurement from the estimate by the other
	// measurements, at most [MaxBound], or -1 with a single one.
	Bound float64
	// Measurements is their number.
	Measurements int

	others bool // whether a measurement has other operators
}

// Cost estimates the cost of one run, in the unit of the measurements. The error says why there is no
// estimate.
func (r *Rate) Cost(w Work) (cost float64, err error) {
	for kind, n := range w.MACs {
		cost += r.Costs[kind] * float64(n)
	}
	switch {
	case w.MACs == [kinds]int64{}:
		return 0, errors.New("the model has no multiply-accumulates")
	case w.MACs[Other] > 0 && !r.others:
		return 0, errors.New("no measurement has operators other than CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED, which the model has")
	case cost == 0:
		return 0, errors.New("the measurements contradict each other: no time is left for the operators of the model")
	}
	return cost, nil
}

// MaxBound is the bound of measurements that contradict each other.
const MaxBound = 10

// A sample is a measured cost of MACs of each kind. If only their sum is known, whole is set, and the
// first kind has it.
type sample struct {
	cost  float64
	macs  [kinds]float64
	whole bool
}

// estimate returns the cost of a sample by the costs of a MAC of each kind.
func (x *sample) estimate(costs [kinds]float64) (sum float64) {
	for kind, n := range x.macs {
		sum += costs[kind] * n
	}
	return sum
}

// prior is the weight of the assumption that all kinds cost the same: the square of 0.1, since
// a measurement deviates by 10 % or so, and a kind from the mean by 100 %. It decides where the
// measurements do not tell kinds apart.
const prior = 0.01

// fit returns the costs with the least squares of relative deviations of the samples, of which there is
// at least one.
func fit(list []sample) *Rate {
	r := &Rate{Bound: -1, Measurements: len(list), Costs: costs(list, -1)}
	for i := range list {
		x := &list[i]
		r.others = r.others || x.macs[Other] > 0
		if len(list) > 1 {
			r.Bound = min(max(r.Bound, math.Abs(x.cost/x.estimate(costs(list, i))-1)), MaxBound)
		}
	}
	return r
}

// costs returns the costs by all samples but the one at an index.
func costs(list []sample, except int) [kinds]float64 {
	var s sums
	for i := range list {
		if i != except {
			s.add(&list[i])
		}
	}
	return s.costs()
}

// sums are the coefficients of the normal equations of relative deviations.
type sums struct {
	whole         bool
	total, square float64
	line          [kinds]float64
	pair          [kinds][kinds]float64
}

func (s *sums) add(x *sample) {
	s.whole = s.whole || x.whole
	total := 0.0
	for i, n := range x.macs {
		a := n / x.cost
		total += a
		s.line[i] += a
		for j, n := range x.macs {
			s.pair[i][j] += a * n / x.cost
		}
	}
	s.total += total
	s.square += total * total
}

// costs solves the equations by coordinate descent, relative to the mean cost of all kinds, which is the
// cost of each if a sample has only the sum. No cost is negative.
func (s *sums) costs() (costs [kinds]float64) {
	const passes = 300
	mean := s.total / s.square
	for i := range costs {
		costs[i] = 1
	}
	for range passes {
		if s.whole {
			break
		}
		for i := range costs {
			left := mean*s.line[i] + prior
			for j := range costs {
				if j != i {
					left -= mean * mean * s.pair[i][j] * costs[j]
				}
			}
			costs[i] = max(0, left/(mean*mean*s.pair[i][i]+prior))
		}
	}
	for i := range costs {
		costs[i] *= mean
	}
	return costs
}

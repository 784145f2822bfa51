package op

import "golang.org/x/exp/slices"

// A growth says how the integers that an operator computes depend on its inputs' integers.
type growth struct {
	// rises are the inputs with which all results rise, or stay; any is for all inputs.
	rises []int
	any   bool
	// falls are the inputs with which all results fall, or stay.
	falls []int
	// positive reports that this holds for inputs of at least 0 only.
	positive bool
	// ceiling and floor report that each result is at most, or at least, any of the inputs.
	ceiling, floor bool
	// wraps reports that a result out of the type's range wraps around, so that either limit holds only
	// with the other.
	wraps bool
}

func (g growth) covers(position int) bool {
	return g.any || slices.Contains(g.rises, position) || slices.Contains(g.falls, position)
}

// rising returns the facts of a kind whose integers rise with those of some inputs, or of all.
func (f facts) rising(positions ...int) facts {
	f.growth.rises, f.growth.any = positions, len(positions) == 0
	return f
}

// falling returns the facts of a kind whose integers fall with those of an input.
func (f facts) falling(position int) facts {
	f.growth.falls = []int{position}
	return f
}

// ofPositive limits the growth to inputs of at least 0.
func (f facts) ofPositive() facts {
	f.growth.positive = true
	return f
}

// atMost and atLeast return the facts of a kind whose results are limited by each input.
func (f facts) atMost() facts {
	f.growth.ceiling = true
	return f
}

func (f facts) atLeast() facts {
	f.growth.floor = true
	return f
}

// wrapping returns the facts of a kind whose results can wrap around.
func (f facts) wrapping() facts {
	f.growth.wraps = true
	return f
}

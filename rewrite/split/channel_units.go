package split

import "github.com/tflarena/tflarena/internal/integer"

// channelUnits finds the units into which all sliced tensors of a run can be split; every
// tensor has the same number of units.
type channelUnits struct {
	// units is the number of units, 0 before any operator.
	units int64
	// minimums holds, for operators with a minimum above one, that minimum and the number of
	// output channels.
	minimums []span
}

// with adds an operator.
func (u *channelUnits) with(op *channelwise) {
	for _, n := range op.counts {
		u.units = integer.GCD(u.units, n)
	}
	if op.least > 1 {
		u.minimums = append(u.minimums, span{op.least, op.counts[0]})
	}
}

// most returns the maximum number of slices.
func (u *channelUnits) most() int64 {
	most := u.units
	for _, f := range u.minimums {
		perUnit := f.to / u.units
		most = min(most, u.units/ceilDiv(f.from, perUnit))
	}
	return most
}

package split

import "github.com/tflarena/tflarena/internal/integer"

// channelUnits find out where a run can be cut along its channels: at the bounds of units,
// of which each tensor that is cut has equally many.
type channelUnits struct {
	// units is how many there are, 0 for no operators yet.
	units int64
	// fewest are the channels and the fewest channels of a piece, of operators that ask
	// for more than one.
	fewest []span
}

// with adds an operator.
func (u *channelUnits) with(op *channelwise) {
	for _, n := range op.counts {
		u.units = integer.GCD(u.units, n)
	}
	if op.least > 1 {
		u.fewest = append(u.fewest, span{op.least, op.counts[0]})
	}
}

// most returns how many pieces there can be at most.
func (u *channelUnits) most() int64 {
	most := u.units
	for _, f := range u.fewest {
		perUnit := f.to / u.units
		most = min(most, u.units/ceilDiv(f.from, perUnit))
	}
	return most
}

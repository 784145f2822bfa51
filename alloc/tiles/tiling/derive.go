package tiling

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite/op"
)

// A search finds the largest tiles of an output that fit on chip.
type search struct {
	*network
	operator int
	out      output
	sizes    []int64 // of a tile along each axis
	// axis is the axis whose size is searched, and others has the kinds of ranges along all others.
	axis   int
	others grid
	// least is the fewest bytes on chip of any tile that was tried and does not fit.
	least int64
}

// derive finds the largest tiles that fit: as many rows or pixels as possible, or, if not even one fits
// with all channels, as many channels as possible.
func (n *network) derive(k int, out output, cut Cut, most int64) (grid, Cut, int64, error) {
	shape := n.tensors[out.tensor].shape
	s := search{network: n, operator: k, out: out, sizes: make([]int64, len(shape)), least: math.MaxInt64}
	if len(shape) == 0 {
		return grid{}, Whole, 1, n.checkOnChip(k, n.onChip(n.operators[k], out, op.Box{}))
	}
	axis := cut.axis(len(shape))
	for i, d := range shape {
		if s.sizes[i] = 1; i > axis {
			s.sizes[i] = d
		}
	}
	if axis >= 0 {
		if found := s.maxAlong(axis, most); found > 0 {
			return gridOf(shape, s.sizes), operatorName(cut), found, nil
		}
	}
	if found := s.maxAlong(len(shape)-1, 0); found > 0 {
		return gridOf(shape, s.sizes), Channels, found, nil
	}
	switch err := n.ctx.Err(); {
	case err != nil:
		return nil, "", 0, err
	case s.least == math.MaxInt64:
		return nil, "", 0, n.tooMany(k)
	}
	return nil, "", 0, n.checkOnChip(k, s.least)
}

// maxAlong sets the size along an axis to the largest that fits, and returns it, or zero if none fits. It
// skips sizes with too many tiles.
func (s *search) maxAlong(axis int, most int64) int64 {
	shape := s.tensors[s.out.tensor].shape
	if most <= 0 || most > shape[axis] {
		most = shape[axis]
	}
	least := 1 + bisect(most, func(size int64) bool { return s.tooMany(axis, size) })
	if least > most {
		s.sizes[axis] = 1
		return 0
	}
	s.axis, s.others = axis, make(grid, len(shape))
	for i, d := range shape {
		if i != axis {
			s.others[i] = s.out.kinds(i, d, s.sizes[i])
		}
	}
	high := bisect(most, func(size int64) bool { return s.floor(size) <= s.OnChip })
	found := s.largest(shape[axis], least, high, func(size int64) bool { return s.onChip(size) <= s.OnChip })
	if found == 0 {
		found = s.smallest(shape[axis], least, most)
	}
	s.sizes[axis] = max(found, 1)
	return found
}

// tooMany reports whether a size along an axis makes too many tiles.
func (s *search) tooMany(axis int, size int64) bool {
	s.sizes[axis] = size
	return tileCount(s.tensors[s.out.tensor].shape, s.sizes) > int64(s.MaxAccesses)
}

// smallest tries sizes in ascending order, as [network.largest] does in descending order. It returns one
// that fits, or zero, and updates s.least.
func (s *search) smallest(extent, size, most int64) int64 {
	for looked := int64(0); size <= most && looked <= int64(s.MaxAccesses) && s.floor(size) < s.least && s.ctx.Err() == nil; size++ {
		if s.least = min(s.least, s.onChip(size)); s.least <= s.OnChip {
			return size
		}
		looked += perSize + extent/size
	}
	return 0
}

// onChip returns the most bytes on chip of any tile of a size.
func (s *search) onChip(size int64) int64 {
	shape := s.tensors[s.out.tensor].shape
	s.sizes[s.axis] = size
	kinds := slices.Clone(s.others)
	kinds[s.axis] = s.out.kinds(s.axis, shape[s.axis], size)
	var most int64
	for box := range kinds.boxes {
		most = max(most, s.network.onChip(s.operators[s.operator], s.out, box))
	}
	return most
}

// floor returns a lower bound of the bytes on chip of a tile: itself, and the inputs of which all tiles
// read the same amount. It is monotonic in the size.
func (s *search) floor(size int64) int64 {
	box := make(op.Box, len(s.others))
	for i, kinds := range s.others {
		if i == s.axis {
			box[i] = op.Span{From: 0, To: size}
		} else {
			box[i] = kinds[0]
		}
	}
	o := s.operators[s.operator]
	moves := func(a op.Axis) bool { return a.Of == s.axis }
	sum := sizeOf(volume(box), s.tensors[s.out.tensor].bits)
	for i, t := range o.Inputs {
		if t >= 0 && !o.repeats(i, s.out) && !slices.ContainsFunc(s.out.regions[i], moves) {
			sum += s.readBytes(t, s.out.regions[i], box)
		}
	}
	return sum
}

func operatorName(c Cut) Cut {
	if c == "" {
		return Rows
	}
	return c
}

// checkOnChip returns a [*SizeError] if the memory on chip is below least bytes.
func (n *network) checkOnChip(k int, least int64) error {
	if least <= n.OnChip {
		return nil
	}
	return &SizeError{Operator: k, Last: k, Name: n.operators[k].Name, OnChip: n.OnChip, Least: least}
}

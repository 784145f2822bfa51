package tiling

// A search looks for the largest tiles of an output that fit on chip.
type search struct {
	*network
	operator int
	out      output
	// sizes are those of a tile along each axis.
	sizes []int64
}

// derive finds the largest tiles that fit: most rows or pixels, or, where not even one fits with
// all of its channels, as many channels as fit.
func (n *network) derive(k int, out output, cut Cut, most int64) (grid, Cut, int64, error) {
	shape := n.tensors[out.tensor].shape
	s := search{network: n, operator: k, out: out, sizes: make([]int64, len(shape))}
	if len(shape) == 0 {
		return grid{}, Whole, 1, n.enough(k, s.onChip())
	}
	axis := cut.axis(len(shape))
	for i, d := range shape {
		if s.sizes[i] = 1; i > axis {
			s.sizes[i] = d
		}
	}
	if axis >= 0 {
		found, err := s.along(axis, most)
		if err != nil {
			return nil, "", 0, err
		}
		if found > 0 {
			return gridOf(shape, s.sizes), named(cut), found, nil
		}
	}
	found, err := s.along(len(shape)-1, 0)
	if err != nil {
		return nil, "", 0, err
	}
	return gridOf(shape, s.sizes), Channels, found, n.enough(k, s.onChip())
}

// along sets the size along one axis to the largest that fits, and returns it: none where not
// even one does. Sizes of which there are too many tiles are not looked at.
func (s *search) along(axis int, most int64) (int64, error) {
	shape := s.tensors[s.out.tensor].shape
	if s.sizes[axis] = 1; tileCount(shape, s.sizes) > MaxAccesses {
		return 0, s.tooMany(s.operator)
	}
	if most <= 0 || most > shape[axis] {
		most = shape[axis]
	}
	found := largest(most, func(size int64) bool {
		s.sizes[axis] = size
		return s.onChip() <= s.OnChip
	})
	s.sizes[axis] = max(found, 1)
	return found, nil
}

// onChip returns the most bytes that a tile of the present sizes needs on chip.
func (s *search) onChip() int64 {
	return s.mostOnChip(s.operators[s.operator], s.out, gridOf(s.tensors[s.out.tensor].shape, s.sizes))
}

func named(c Cut) Cut {
	if c == "" {
		return Rows
	}
	return c
}

// enough returns an error where the memory on chip is less than the least that will do.
func (n *network) enough(k int, least int64) error {
	if least <= n.OnChip {
		return nil
	}
	return &SizeError{Operator: k, Last: k, Name: n.operators[k].Name, OnChip: n.OnChip, Least: least}
}

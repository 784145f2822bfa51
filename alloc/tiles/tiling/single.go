package tiling

import (
	"iter"
	"slices"

	"github.com/tflarena/tflarena/tflite/op"
)

// A step has its accesses off chip, and its bytes on chip.
type step struct {
	touches []touch
	onChip  int64
}

// A touch is an access to a span of a tensor.
type touch struct {
	tensor int
	write  bool
	span
}

// A block is one operator, or a cascade, with its steps. The fields are as in [Run].
type block struct {
	first, last int
	tile        Cut
	extent      int64
	steps       []step
	between     []int
	kept        int64
}

// rowAxis and pixelAxis return the axes of rows and of pixels. The last axis has the channels, and in a
// tensor of fewer than four axes a row is a single pixel. The axis is negative if there are only
// channels.
func rowAxis(rank int) int {
	if rank >= 4 {
		return rank - 3
	}
	return rank - 2
}

func pixelAxis(rank int) int { return rank - 2 }

func (c Cut) axis(rank int) int {
	if rank < 2 {
		return -1
	}
	if c == Pixels {
		return pixelAxis(rank)
	}
	return rowAxis(rank)
}

// single returns the block of one operator.
func (n *network) single(k int) (*block, error) {
	o := n.operators[k]
	if o.whole {
		return n.wholeBlock(k)
	}
	b := &block{first: k, last: k}
	for i, out := range o.outputs {
		boxes, cut, extent, err := n.tilesOf(k, out)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			b.tile, b.extent = cut, extent
		}
		for box := range boxes {
			if err := n.ctx.Err(); err != nil {
				return nil, err
			}
			s, ok := n.tileStep(o, out, box)
			if !ok {
				return nil, n.tooMany(k)
			}
			n.accesses += len(s.touches)
			b.steps = append(b.steps, s)
		}
	}
	if len(b.steps) == 1 {
		b.tile, b.extent = Whole, 1
	}
	return b, nil
}

// tilesOf returns the given or derived tiles of an output.
func (n *network) tilesOf(k int, out output) (iter.Seq[op.Box], Cut, int64, error) {
	cut, most := n.Cut, n.Most
	if g := n.Given.tensor(n.id(out.tensor)); g != nil {
		if g.Cut == Own {
			boxes, err := n.ownTiles(k, out, g)
			return slices.Values(boxes), Own, 1, err
		}
		cut, most = g.Cut, g.Most
	}
	g, cut, extent, err := n.derive(k, out, cut, most)
	if err != nil {
		return nil, "", 0, err
	}
	return g.boxes, cut, extent, nil
}

// tileStep returns the step that makes a tile, or false if there are too many accesses.
func (n *network) tileStep(o operator, out output, box op.Box) (s step, ok bool) {
	s.onChip, ok = n.onChip(o, out, box), true
	for i, t := range o.Inputs {
		if ok && n.offChip(t) {
			ok = n.touch(&s, n.accesses, t, false, n.readBox(t, out.regions[i], box))
		}
	}
	if ok && n.tensors[out.tensor].offChip {
		ok = n.touch(&s, n.accesses, out.tensor, true, box)
	}
	return s, ok
}

// touch adds the accesses of a step to a box of a tensor; nil means the whole tensor. It returns false if
// there are too many accesses, together with those before.
func (n *network) touch(s *step, before, tensor int, write bool, box op.Box) bool {
	x := n.tensors[tensor]
	if box == nil {
		s.touches = append(s.touches, touch{tensor, write, span{0, x.bytes}})
		return before+len(s.touches) <= n.MaxAccesses
	}
	if spanCount(x.shape, box) > n.MaxAccesses-before-len(s.touches) {
		return false
	}
	for _, b := range spansOf(x.shape, x.bits, box) {
		s.touches = append(s.touches, touch{tensor, write, b})
	}
	return true
}

// wholeBlock returns the block of an operator that cannot be cut.
func (n *network) wholeBlock(k int) (*block, error) {
	o, s := n.operators[k], step{}
	seen := map[int]bool{}
	add := func(list []int, write bool) {
		for _, t := range list {
			if t < 0 {
				continue
			}
			if !seen[t] {
				seen[t] = true
				s.onChip += n.tensors[t].bytes
			}
			if n.offChip(t) {
				s.touches = append(s.touches, touch{t, write, span{0, n.tensors[t].bytes}})
			}
		}
	}
	add(o.Inputs, false)
	add(o.Outputs, true)
	return &block{first: k, last: k, tile: Whole, extent: 1, steps: []step{s}}, n.checkOnChip(k, s.onChip)
}

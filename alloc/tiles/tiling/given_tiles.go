package tiling

import (
	"fmt"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite/op"
)

// join returns the blocks of a schedule, with given cascades or those that lower the peak.
func (n *network) join(singles []*block) ([]*block, error) {
	if n.Given == nil {
		return n.choose(singles), nil
	}
	cascades, accesses := n.Given.Cascades, n.accesses
	var blocks []*block
	for k := 0; k < len(singles); k++ {
		i := slices.IndexFunc(cascades, func(c GivenCascade) bool { return c.First == k })
		if i < 0 {
			blocks = append(blocks, singles[k])
			continue
		}
		b, err := n.givenStripes(cascades[i])
		if err != nil {
			return nil, err
		}
		blocks, k = append(blocks, b), cascades[i].Last
		if accesses += count([]*block{b}); accesses > n.MaxAccesses {
			return nil, n.tooMany(b.first)
		}
	}
	return blocks, nil
}

// givenStripes returns a given cascade in stripes of the given number of rows, or of as many as fit.
func (n *network) givenStripes(g GivenCascade) (found *block, err error) {
	c := n.cascade(g.First, g.Last)
	least := int64(math.MaxInt64)
	fits := func(rows int64) bool {
		b := c.block(rows)
		if b == nil {
			return false
		}
		least = min(least, b.peakOnChip())
		if b.peakOnChip() <= n.OnChip {
			found = b
		}
		return b.peakOnChip() <= n.OnChip
	}
	if height := c.height(); g.Rows > 0 {
		fits(min(g.Rows, height))
	} else {
		n.largest(height, 1, height, fits)
	}
	switch err := n.ctx.Err(); {
	case found != nil:
		return found, nil
	case err != nil:
		return nil, err
	case least == math.MaxInt64:
		return nil, n.tooMany(g.First)
	}
	return nil, &SizeError{Operator: g.First, Last: g.Last, Name: n.operators[g.First].Name, OnChip: n.OnChip, Least: least}
}

// ownTiles returns the given tiles of an output, which must cover it without overlaps.
func (n *network) ownTiles(k int, out output, g *GivenTensor) ([]op.Box, error) {
	shape := n.tensors[out.tensor].shape
	var boxes []op.Box
	var sum int64
	for i, tile := range g.Tiles {
		if err := n.ctx.Err(); err != nil {
			return nil, err
		}
		place := fmt.Sprintf("tensor %s: tile %d", g.Tensor, i)
		if len(tile.Offset) != len(shape) || len(tile.Size) != len(shape) {
			return nil, wrong(place, "it has %d offsets and %d sizes, and the tensor has %d dimensions", len(tile.Offset), len(tile.Size), len(shape))
		}
		box := make(op.Box, len(shape))
		for a, d := range shape {
			from, size := tile.Offset[a], tile.Size[a]
			if from < 0 || size < 1 || from > d || size > d-from {
				return nil, wrong(place, "elements %d to %d of axis %d are not all within the tensor, which has %d", from, from+size, a, d)
			}
			box[a] = op.Span{From: from, To: from + size}
		}
		for j, other := range boxes {
			if overlap(box, other) {
				return nil, wrong(place, "it overlaps tile %d: two steps would make the same elements", j)
			}
		}
		boxes, sum = append(boxes, box), sum+volume(box)
		if err := n.checkOnChip(k, n.onChip(n.operators[k], out, box)); err != nil {
			return nil, err
		}
	}
	if all := volume(wholeBox(shape)); sum != all {
		return nil, wrong("tensor "+g.Tensor, "its tiles make %d of %d elements", sum, all)
	}
	return boxes, nil
}

func overlap(a, b op.Box) bool {
	for k := range a {
		if a[k].To <= b[k].From || b[k].To <= a[k].From {
			return false
		}
	}
	return true
}

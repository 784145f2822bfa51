package tiling

import (
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite/op"
)

// A grid is the tiles of an output: the ranges that each of its axes is cut into.
type grid [][]op.Span

// gridOf cuts each axis into ranges of a size, of which the last may be shorter.
func gridOf(shape, sizes []int64) grid {
	g := make(grid, len(shape))
	for k, d := range shape {
		for from := int64(0); from < d; from += sizes[k] {
			g[k] = append(g[k], op.Span{From: from, To: min(from+sizes[k], d)})
		}
	}
	return g
}

// tileCount returns how many tiles of these sizes there are, or some number above MaxAccesses. An
// axis without elements counts as one range, so that no other axis is cut without end beside it.
func tileCount(shape, sizes []int64) int64 {
	count := int64(1)
	for k, d := range shape {
		if count *= max(1, (d+sizes[k]-1)/sizes[k]); count > MaxAccesses {
			return count
		}
	}
	return count
}

// boxes returns the tiles in row-major order.
func (g grid) boxes() []op.Box {
	list := []op.Box{{}}
	for _, ranges := range g {
		longer := make([]op.Box, 0, len(list)*len(ranges))
		for _, box := range list {
			for _, r := range ranges {
				longer = append(longer, append(slices.Clip(box), r))
			}
		}
		list = longer
	}
	return list
}

// mostOnChip returns the largest number of bytes that one of the tiles needs on chip. It looks
// at one tile of each kind: along each axis there are few ranges of which not all inputs read
// as much as of the range before.
func (n *network) mostOnChip(o operator, out output, g grid) int64 {
	few := make(grid, len(g))
	for axis, ranges := range g {
		seen := map[string]bool{}
		for _, r := range ranges {
			key := string(out.lengths(axis, r))
			if !seen[key] {
				seen[key], few[axis] = true, append(few[axis], r)
			}
		}
	}
	var most int64
	for _, box := range few.boxes() {
		most = max(most, n.onChip(o, out, box))
	}
	return most
}

// lengths returns how long a range of an output's axis is, and all that is read for it.
func (out output) lengths(axis int, r op.Span) []byte {
	list := appendNumber(nil, r.To-r.From)
	for _, region := range out.regions {
		for _, a := range region {
			if a.Of == axis {
				s := a.Reads(r)
				list = appendNumber(list, s.To-s.From)
			}
		}
	}
	return list
}

func appendNumber(b []byte, n int64) []byte {
	for range 8 {
		b, n = append(b, byte(n)), n>>8
	}
	return b
}

// onChip returns the bytes that a tile needs on chip: itself, and what is read for it. What two
// inputs read alike of one tensor counts once.
func (n *network) onChip(o operator, out output, box op.Box) int64 {
	sum := sizeOf(volume(box), n.tensors[out.tensor].bits)
	for i, t := range o.Inputs {
		if t < 0 || slices.Index(o.Inputs, t) < i && slices.Equal(out.regions[i], out.regions[slices.Index(o.Inputs, t)]) {
			continue
		}
		sum += n.readBytes(t, out.regions[i], box)
	}
	return sum
}

// readBytes returns how many bytes of an input are read for a tile.
func (n *network) readBytes(t int, r op.Region, box op.Box) int64 {
	if len(r) == 0 || len(r) != len(n.tensors[t].shape) {
		return n.tensors[t].bytes
	}
	return sizeOf(volume(r.Reads(box)), n.tensors[t].bits)
}

// readSpans returns which bytes of an input are read for a tile.
func (n *network) readSpans(t int, r op.Region, box op.Box) []span {
	x := n.tensors[t]
	if len(r) == 0 || len(r) != len(x.shape) {
		return []span{{0, x.bytes}}
	}
	return spansOf(x.shape, x.bits, r.Reads(box))
}

// largest returns the largest number from 1 to most for which fits holds, 0 where there is none:
// if it holds for a number, it holds for lesser ones.
func largest(most int64, fits func(int64) bool) int64 {
	return int64(sort.Search(int(most), func(k int) bool { return !fits(int64(k) + 1) }))
}

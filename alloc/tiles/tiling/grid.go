package tiling

import (
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

// boxes yields the tiles in row-major order. A box is only lent.
func (g grid) boxes(yield func(op.Box) bool) {
	box := make(op.Box, len(g))
	var along func(axis int) bool
	along = func(axis int) bool {
		if axis == len(g) {
			return yield(box)
		}
		for _, r := range g[axis] {
			if box[axis] = r; !along(axis + 1) {
				return false
			}
		}
		return true
	}
	along(0)
}

// kinds returns, of the ranges of a size that an axis is cut into, one of each kind: for two of a
// kind tiles read as much of all inputs. There are few.
func (out output) kinds(axis int, extent, size int64) (list []op.Span) {
	var before, key []byte
	seen := map[string]bool{}
	for from := int64(0); from < extent; from += size {
		r := op.Span{From: from, To: min(from+size, extent)}
		key = out.lengths(key[:0], axis, r)
		if slices.Equal(key, before) || seen[string(key)] {
			continue
		}
		seen[string(key)] = true
		list, before, key = append(list, r), key, before
	}
	return list
}

// lengths appends how long a range of an output's axis is, and all that is read for it.
func (out output) lengths(list []byte, axis int, r op.Span) []byte {
	list = appendNumber(list, r.To-r.From)
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
		if t >= 0 && !o.repeats(i, out) {
			sum += n.readBytes(t, out.regions[i], box)
		}
	}
	return sum
}

// repeats reports whether an input of an operator, by its place, is read before in the same way.
func (o operator) repeats(input int, out output) bool {
	first := slices.Index(o.Inputs, o.Inputs[input])
	return first < input && slices.Equal(out.regions[first], out.regions[input])
}

// readBox returns which elements of an input are read for a tile, nil for all that there are.
func (n *network) readBox(t int, r op.Region, box op.Box) op.Box {
	if len(r) == 0 || len(r) != len(n.tensors[t].shape) {
		return nil
	}
	return r.Reads(box)
}

// readBytes returns how many bytes of an input are read for a tile.
func (n *network) readBytes(t int, r op.Region, box op.Box) int64 {
	if read := n.readBox(t, r, box); read != nil {
		return sizeOf(volume(read), n.tensors[t].bits)
	}
	return n.tensors[t].bytes
}

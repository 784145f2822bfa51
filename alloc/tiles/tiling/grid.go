package tiling

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite/op"
)

// A grid is the tiles of an output: the ranges of each axis.
type grid [][]op.Span

// gridOf cuts each axis into ranges of a size. The last range may be shorter.
func gridOf(shape, sizes []int64) grid {
	g := make(grid, len(shape))
	for k, d := range shape {
		for from := int64(0); from < d; from += sizes[k] {
			g[k] = append(g[k], op.Span{From: from, To: min(from+sizes[k], d)})
		}
	}
	return g
}

// tileCount returns the number of tiles of these sizes, or any number above [MaxAccesses]. An axis
// without elements counts as one range, which limits the cuts of other axes.
func tileCount(shape, sizes []int64) int64 {
	count := int64(1)
	for k, d := range shape {
		if count *= max(1, (d+sizes[k]-1)/sizes[k]); count > MaxAccesses {
			return count
		}
	}
	return count
}

// boxes yields the tiles in row-major order. A box is valid until the next one.
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

// kinds returns one range of each kind that an axis is cut into. Tiles of two ranges of a kind read the
// same amount of all inputs. There are few kinds.
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

// lengths appends the length of a range of an output's axis, and the lengths of the ranges read for it.
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

// onChip returns the bytes on chip of a tile: itself, and the parts of the inputs. Equal parts of one
// tensor count once.
func (n *network) onChip(o operator, out output, box op.Box) int64 {
	sum := sizeOf(volume(box), n.tensors[out.tensor].bits)
	for i, t := range o.Inputs {
		if t >= 0 && !o.repeats(i, out) {
			sum += n.readBytes(t, out.regions[i], box)
		}
	}
	return sum
}

// repeats reports whether an earlier input of an operator is the same tensor, read in the same way.
func (o operator) repeats(input int, out output) bool {
	first := slices.Index(o.Inputs, o.Inputs[input])
	return first < input && slices.Equal(out.regions[first], out.regions[input])
}

// readBox returns the elements of an input that are read for a tile; nil means all.
func (n *network) readBox(t int, r op.Region, box op.Box) op.Box {
	if len(r) == 0 || len(r) != len(n.tensors[t].shape) {
		return nil
	}
	return r.Reads(box)
}

// readBytes returns the bytes of an input that are read for a tile.
func (n *network) readBytes(t int, r op.Region, box op.Box) int64 {
	if read := n.readBox(t, r, box); read != nil {
		return sizeOf(volume(read), n.tensors[t].bits)
	}
	return n.tensors[t].bytes
}

package op

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Operators that move spatial blocks into the channels or the batch, or back.

// BlockSize returns the block size option of SPACE_TO_DEPTH and DEPTH_TO_SPACE, in elements:
// false for other operators, and without options.
func BlockSize(m *tflite.Model, o *tflite.Operator) (size int64, ok bool) {
	var wide schema.SpaceToDepthOptions
	var deep schema.DepthToSpaceOptions
	switch code := m.OperatorCodes[o.Code].Builtin; {
	case code == schema.BuiltinOperatorSPACE_TO_DEPTH && o.Options(schema.BuiltinOptionsSpaceToDepthOptions, &wide):
		return int64(wide.BlockSize()), true
	case code == schema.BuiltinOperatorDEPTH_TO_SPACE && o.Options(schema.BuiltinOptionsDepthToSpaceOptions, &deep):
		return int64(deep.BlockSize()), true
	}
	return 0, false
}

// block returns the block size, which is at least 1.
func (n node) block() int64 {
	b, ok := BlockSize(n.model, n.op)
	if !ok || b < 1 {
		n.fail("it has no size of blocks")
	}
	return b
}

var spaceToDepth = facts{
	shapes: single(func(n node) []int64 {
		in, b := n.shapeOf(0, 4), n.block()
		if in[1]%b != 0 || in[2]%b != 0 {
			n.fail("%dx%d are no blocks of %dx%d", in[1], in[2], b, b)
		}
		return []int64{in[0], in[1] / b, in[2] / b, times(in[3], b, b)}
	}),
	reads: reader{Windowed, func(n node, _ int) []Region {
		in, b := n.extentsOf(0, 4), n.block()
		return []Region{{same(0, in[0]), blockOf(1, in[1], b, 0), blockOf(2, in[2], b, 0), whole(in[3])}}
	}},
}

var depthToSpace = facts{
	shapes: single(func(n node) []int64 {
		in, b := n.shapeOf(0, 4), n.block()
		if in[3]%times(b, b) != 0 {
			n.fail("%d channels are no blocks of %dx%d", in[3], b, b)
		}
		return []int64{in[0], in[1] * b, in[2] * b, in[3] / (b * b)}
	}),
	reads: reader{Scaled, func(n node, _ int) []Region {
		in, b := n.extentsOf(0, 4), n.block()
		return []Region{{same(0, in[0]), inBlock(1, in[1], b, 0), inBlock(2, in[2], b, 0), whole(in[3])}}
	}},
}

// blockOf is an axis that reads one of b elements per output element, after padding.
func blockOf(axis int, in, b, before int64) Axis {
	return Axis{Of: axis, In: in, Stride: b, Before: before, Reach: b - 1, Scale: 1}
}

// inBlock is an axis whose elements each make b output elements, cropped at the start.
func inBlock(axis int, in, b, crop int64) Axis {
	return Axis{Of: axis, In: in, Stride: 1, Before: -crop, Scale: b}
}

// spaceToBatch has block sizes in input 1 and paddings, in elements, in input 2.
var spaceToBatch = facts{
	params: []int{1, 2},
	shapes: single(func(n node) []int64 {
		out := n.ranked(0, 2)
		blocks, pads := n.blocks(len(out))
		for i, b := range blocks {
			d := out[i+1] + pads[i][0] + pads[i][1]
			if pads[i][0] < 0 || pads[i][1] < 0 || d%b != 0 {
				n.fail("%d elements are no blocks of %d", d, b)
			}
			out[i+1], out[0] = d/b, times(out[0], b)
		}
		return out
	}),
	reads: reader{Windowed, func(n node, _ int) []Region { return n.readBlocks(blockOf) }},
}

// batchToSpace has block sizes in input 1 and crops, in elements, in input 2.
var batchToSpace = facts{
	params: []int{1, 2},
	shapes: single(func(n node) []int64 {
		out := n.ranked(0, 2)
		blocks, crops := n.blocks(len(out))
		for i, b := range blocks {
			if crops[i][0] < 0 || crops[i][1] < 0 || out[0]%b != 0 {
				n.fail("%d pictures are no blocks of %d", out[0], b)
			}
			out[i+1], out[0] = times(out[i+1], b)-crops[i][0]-crops[i][1], out[0]/b
		}
		return out
	}),
	reads: reader{Scaled, func(n node, _ int) []Region { return n.readBlocks(inBlock) }},
}

// blocks returns the block sizes of the dimensions from the second on, and their paddings or
// crops.
func (n node) blocks(rank int) (blocks []int64, around [][2]int64) {
	blocks, flat := n.ints(1), n.ints(2)
	if len(blocks) >= rank || len(flat) != 2*len(blocks) {
		n.fail("it has %d blocks and %d paddings for %d dimensions", len(blocks), len(flat), rank)
	}
	for i, b := range blocks {
		if n.smallNumber(b) < 1 {
			n.fail("a block has the size %d", b)
		}
		around = append(around, [2]int64{n.smallNumber(flat[2*i]), n.smallNumber(flat[2*i+1])})
	}
	return blocks, around
}

// readBlocks reads the whole batch, the blocked dimensions through axis, and the others at the
// same position.
func (n node) readBlocks(axis func(axis int, in, b, around int64) Axis) []Region {
	r := n.readWhole(0)
	blocks, around := n.blocks(len(r))
	for i := 1; i < len(r); i++ {
		if i <= len(blocks) {
			r[i] = axis(i, r[i].In, blocks[i-1], around[i-1][0])
		} else {
			r[i] = same(i, r[i].In)
		}
	}
	return []Region{r}
}

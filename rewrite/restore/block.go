package restore

import (
	"cmp"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// block is a tiled block of subgraph 0.
type block struct {
	*blocks.Block
	model *tflite.Model
	sub   *tflite.Subgraph
	// makers holds for each original the index of the original operator that makes it, or -1.
	makers []int
	// pieces holds for each original operator an operator of the file that computes a tile of its
	// output, or -1.
	pieces []int
	// joined is the last operator of the file that joins an output of the block, -1 if none does.
	// All operators of the block that the output depends on come before it, and all operators that
	// read the output come after it.
	joined int
}

func newBlock(m *tflite.Model, record *blocks.Block) *block {
	b := &block{Block: record, model: m, sub: &m.Subgraphs[0], joined: -1}
	for range b.Originals {
		b.makers = append(b.makers, -1)
	}
	for i := range b.Operators {
		b.makers[b.Operators[i].Output] = i
		b.pieces = append(b.pieces, -1)
	}
	return b
}

// add adds an operator of the file that touches the block. It must be one that tiling makes: an
// original operator applied to tiles, or one that cuts, pads or joins them.
func (b *block) add(o *tflite.Operator) error {
	unknown := fmt.Errorf("%s does not belong to its tiled block", name(o))
	if len(o.Outputs) != 1 || o.Outputs[0] < 0 || len(o.Intermediates) > 0 {
		return unknown
	}
	out := o.Outputs[0]
	whole := b.whole(out)
	if out >= b.First && whole >= 0 {
		if k := b.makers[whole]; k >= 0 && b.isPiece(o, &b.Operators[k]) {
			if !b.aligned(o) {
				return unknown
			}
			if b.pieces[k] < 0 {
				b.pieces[k] = o.Index
			}
			return nil
		}
	}
	parts := o.Inputs[:min(len(o.Inputs), 1)]
	if len(parts) == 0 {
		return unknown
	}
	switch b.builtin(o.Code) {
	case schema.BuiltinOperatorSLICE, schema.BuiltinOperatorSTRIDED_SLICE:
	case schema.BuiltinOperatorPAD:
		if whole >= 0 {
			return unknown
		}
	case schema.BuiltinOperatorCONCATENATION:
		parts = o.Inputs
	default:
		return unknown
	}
	for _, t := range parts {
		if t < 0 || whole >= 0 && !b.holds(t, b.Originals[whole].Tensor) {
			return unknown
		}
	}
	if whole >= 0 && !b.copies(o, parts) {
		return unknown
	}
	if out < b.First {
		if whole < 0 || b.makers[whole] < 0 || b.builtin(o.Code) != schema.BuiltinOperatorCONCATENATION {
			return unknown
		}
		b.joined = max(b.joined, o.Index)
	}
	return nil
}

func (b *block) builtin(code int) schema.BuiltinOperator { return b.model.OperatorCodes[code].Builtin }

// pads reports whether an original operator is PAD or PADV2. What such an operator leaves
// unchanged has no tiles of its own.
func (b *block) pads(operator int) bool {
	code := b.builtin(b.Operators[operator].Code)
	return code == schema.BuiltinOperatorPAD || code == schema.BuiltinOperatorPADV2
}

// whole returns the index of the original that a tensor is or is a tile of, or -1.
func (b *block) whole(t int) int {
	if t >= b.First {
		return b.Tiles[t-b.First].Original
	}
	at, found := slices.BinarySearchFunc(b.Originals, t, func(o blocks.Original, t int) int { return cmp.Compare(o.Tensor, t) })
	if !found {
		return -1
	}
	return at
}

// isPiece reports whether an operator of the file is an original operator applied to tiles.
func (b *block) isPiece(o *tflite.Operator, original *blocks.Operator) bool {
	if o.Code != original.Code || len(o.Inputs) != len(original.Inputs) {
		return false
	}
	for i, t := range o.Inputs {
		want := original.Inputs[i]
		operand := t >= b.First && b.Tiles[t-b.First].Original < 0 && b.sub.Tensors[t].Constant
		if t != want && (t < 0 || want < 0 || !operand && !b.holds(t, want)) {
			return false
		}
	}
	return true
}

// deepest is the largest number of operators in a row that cut and pad one tile.
const deepest = 8

// holds reports whether a tensor is or has a part of an original tensor, maybe with padding.
func (b *block) holds(t, want int) bool {
	for range deepest {
		if t < b.First || b.Tiles[t-b.First].Original >= 0 {
			break
		}
		by := b.sub.Tensors[t].Producer
		if by < 0 || len(b.sub.Operators[by].Inputs) == 0 {
			return false
		}
		if t = b.sub.Operators[by].Inputs[0]; t < 0 {
			return false
		}
	}
	if t >= b.First {
		o := b.Tiles[t-b.First].Original
		if o < 0 {
			return false
		}
		t = b.Originals[o].Tensor
	}
	for range deepest {
		if t == want {
			return true
		}
		at := b.whole(want)
		if at < 0 || b.makers[at] < 0 || !b.pads(b.makers[at]) {
			return false
		}
		if inputs := b.Operators[b.makers[at]].Inputs; len(inputs) > 0 {
			want = inputs[0]
		}
	}
	return t == want
}

// Package blocks reads and writes the record of tiled blocks: metadata that lists the tiled
// runs of operators of a model, with their original operators.
package blocks

import (
	"bytes"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// Name is the name of the metadata entry that holds a [Record].
const Name = "tflarena_blocks"

// Version is the only record version that this package reads and writes.
const Version = 1

// Record lists the tiled blocks of a model. The original operators can be restored from it and
// the file.
//
// It refers to operator codes and tensors by index, and never to operators, so it stays valid
// when operators are moved or removed, when tensors are added, and when a memory plan is
// written or removed.
type Record struct {
	// Blocks are ordered by subgraph, then by added tensors.
	Blocks []Block
}

// Block is a tiled run of operators. The tiled operators are those that read or write tensors
// added for the block.
type Block struct {
	// Subgraph is the index of the subgraph.
	Subgraph int
	// Originals are the tiled tensors of the original operators, by ascending index: all
	// outputs, and the tiled inputs.
	Originals []Original
	// Operators are the original operators, in execution order.
	Operators []Operator
	// First is the index of the first tensor added for the block; Tiles describes all of them.
	First int
	Tiles []Tile
}

// Original is a tensor before tiling. In the file it has no elements if nothing uses it whole.
type Original struct {
	// Tensor is the index in the subgraph.
	Tensor int
	Shape  []int32
}

// Operator is an original operator. It shares its options with the operators of the same code
// that compute tiles of its output; a PAD may have none.
type Operator struct {
	// Code is an operator code index.
	Code int
	// Same means padding SAME; tiles have VALID if their input includes the padding.
	Same bool
	// Inputs are tensor indexes, -1 for an omitted one.
	Inputs []int
	// Output is an index into [Block.Originals].
	Output int
}

// Tile is a tensor added for a block.
type Tile struct {
	// Original is an index into [Block.Originals], -1 for a helper: padded data or an operand such as
	// the start of a SLICE.
	Original int
	// Start is the index of the tile's first element in the original, in row-major order. With
	// the tile's shape it determines the range in each dimension.
	Start int64
}

// Error reports a record that is unreadable or does not describe the model.
type Error struct {
	// Entry is the index of the metadata entry.
	Entry   int
	Message string
}

func (e *Error) Error() string {
	return fmt.Sprintf("the record of tiled blocks in metadata[%d]: %s", e.Entry, e.Message)
}

// Read returns the record of a model, or nil if it has none. It returns an [*Error] if the
// record is unreadable or does not describe the model. Multiple records must be byte-identical.
func Read(m *tflite.Model) (*Record, error) {
	first, r := -1, (*Record)(nil)
	for i, md := range m.Metadata {
		if md.Name != Name {
			continue
		}
		data, problem := m.Buffers[md.Buffer].Data, ""
		switch {
		case first < 0:
			if r, problem = parse(data, tensorCount(m)); problem == "" {
				problem = r.mismatch(m)
			}
			first = i
		case !bytes.Equal(data, m.Buffers[m.Metadata[first].Buffer].Data):
			problem = fmt.Sprintf("it differs from the one in metadata[%d]", first)
		}
		if problem != "" {
			return nil, &Error{Entry: i, Message: problem}
		}
	}
	return r, nil
}

func tensorCount(m *tflite.Model) (n int) {
	for i := range m.Subgraphs {
		n += len(m.Subgraphs[i].Tensors)
	}
	return n
}

// Of returns the record of a model, or an empty one if [Read] returns none.
func Of(m *tflite.Model) *Record {
	if r, err := Read(m); err == nil && r != nil {
		return r
	}
	return &Record{}
}

// Size returns the total size of the records of a model, in bytes.
func Size(m *tflite.Model) (size int64) {
	for _, md := range m.Metadata {
		if md.Name == Name {
			size += int64(len(m.Buffers[md.Buffer].Data))
		}
	}
	return size
}

// Block returns the block for which a tensor was added, or nil.
func (r *Record) Block(subgraph, tensor int) *Block {
	i, found := slices.BinarySearchFunc(r.Blocks, tensor, func(b Block, tensor int) int {
		switch {
		case b.Subgraph < subgraph || b.Subgraph == subgraph && b.First+len(b.Tiles) <= tensor:
			return -1
		case b.Subgraph > subgraph || b.First > tensor:
			return 1
		}
		return 0
	})
	if !found {
		return nil
	}
	return &r.Blocks[i]
}

// Tiled reports whether an operator reads or writes a tensor added for a block.
func (r *Record) Tiled(subgraph int, o *tflite.Operator) bool {
	added := func(tensor int) bool { return r.Block(subgraph, tensor) != nil }
	return slices.ContainsFunc(o.Inputs, added) || slices.ContainsFunc(o.Outputs, added)
}

// Whole returns the index of the tensor of which the given one is a tile, or -1.
func (r *Record) Whole(subgraph, tensor int) int {
	b := r.Block(subgraph, tensor)
	if b == nil || b.Tiles[tensor-b.First].Original < 0 {
		return -1
	}
	return b.Originals[b.Tiles[tensor-b.First].Original].Tensor
}

// Package blocks reads and writes the record of tiled blocks: metadata of a model that lists the runs
// of operators that were tiled, with their original operators.
package blocks

import (
	"bytes"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// Name is the name of the metadata entry that holds a [Record].
const Name = "tflarena_blocks"

// Version is the version of the records that this package writes, and the only one that it reads.
const Version = 1

// A Record lists the tiled blocks of a model. From it and the file, the original operators can be
// restored.
//
// It refers to operator codes and tensors by index, and never to operators, so it stays right when
// operators are moved or removed, when tensors are added, and when a memory plan is written or removed.
type Record struct {
	// Blocks are in the order of their subgraphs, and then of their added tensors.
	Blocks []Block
}

// A Block is a run of operators that was tiled. The tiled operators are those that read or make the
// tensors that were added for the block.
type Block struct {
	// Subgraph is the index of the subgraph.
	Subgraph int
	// Originals are the tensors of the original operators that were tiled, by ascending index: all
	// outputs, and the inputs of which there are tiles.
	Originals []Original
	// Operators are the original operators, in execution order.
	Operators []Operator
	// First is the index of the first tensor that was added for the block, and Tiles describes all of
	// them.
	First int
	Tiles []Tile
}

// An Original is a tensor before it was tiled. In the file it has no elements if nothing uses it as a
// whole.
type Original struct {
	// Tensor is its index in the subgraph.
	Tensor int
	Shape  []int32
}

// An Operator is an original operator. It has the options of its tiles, the operators of the same code
// that make tiles of its output; a PAD may have none.
type Operator struct {
	// Code is the index of its operator code.
	Code int
	// Same reports that the padding is SAME, where tiles have VALID because their input includes the
	// padding.
	Same bool
	// Inputs are tensor indexes, -1 for an omitted one.
	Inputs []int
	// Output is an index into [Block.Originals].
	Output int
}

// A Tile is a tensor that was added for a block.
type Tile struct {
	// Original is an index into [Block.Originals], -1 for a helper: padded data or an operand such as
	// the start of a SLICE.
	Original int
	// Start is the index of the tile's first element in the original, in row-major order. With the
	// shape of the tile it tells the range in each dimension.
	Start int64
}

// An Error reports a record that cannot be read, or that does not describe the model.
type Error struct {
	// Entry is the index of the metadata entry.
	Entry   int
	Message string
}

func (e *Error) Error() string {
	return fmt.Sprintf("the record of tiled blocks in metadata[%d]: %s", e.Entry, e.Message)
}

// Read returns the record of a model, nil if the model has none. It is an [*Error] if the record cannot
// be read or does not describe the model. Several records have to be the same byte for byte.
func Read(m *tflite.Model) (*Record, error) {
	first, r := -1, (*Record)(nil)
	for i, md := range m.Metadata {
		if md.Name != Name {
			continue
		}
		data, problem := m.Buffers[md.Buffer].Data, ""
		switch {
		case first < 0:
			if r, problem = parse(data); problem == "" {
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

// Of returns the record of a model, an empty one if [Read] returns none.
func Of(m *tflite.Model) *Record {
	if r, err := Read(m); err == nil && r != nil {
		return r
	}
	return &Record{}
}

// Size returns the size of the records of a model, in bytes.
func Size(m *tflite.Model) (size int64) {
	for _, md := range m.Metadata {
		if md.Name == Name {
			size += int64(len(m.Buffers[md.Buffer].Data))
		}
	}
	return size
}

// Block returns the block that a tensor was added for, nil if it was not added for one.
func (r *Record) Block(subgraph, tensor int) *Block {
	i := slices.IndexFunc(r.Blocks, func(b Block) bool {
		return b.Subgraph == subgraph && b.First <= tensor && tensor < b.First+len(b.Tiles)
	})
	if i < 0 {
		return nil
	}
	return &r.Blocks[i]
}

// Tiled reports whether an operator reads or makes a tensor that was added for a block.
func (r *Record) Tiled(subgraph int, o *tflite.Operator) bool {
	added := func(tensor int) bool { return r.Block(subgraph, tensor) != nil }
	return slices.ContainsFunc(o.Inputs, added) || slices.ContainsFunc(o.Outputs, added)
}

// Whole returns the index of the tensor that another tensor is a tile of, -1 if it is not a tile.
func (r *Record) Whole(subgraph, tensor int) int {
	b := r.Block(subgraph, tensor)
	if b == nil || b.Tiles[tensor-b.First].Original < 0 {
		return -1
	}
	return b.Originals[b.Tiles[tensor-b.First].Original].Tensor
}

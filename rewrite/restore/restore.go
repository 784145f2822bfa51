// Package restore undoes the tiling of a model: from the record of tiled blocks and the tiles it
// restores the original operators and tensors.
package restore

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// Model returns a model with the original operators and tensors of its tiled blocks, without the
// tensors added for them, without the record and without a memory plan. It returns m itself if
// there is no record. Everything is restored or nothing: the error is the reason why it cannot be.
//
// The other operators keep their order, and the operators of a block come where their output was
// joined. So if the operators of a model are tiled and nothing else is changed, Model returns the
// same graph, but operators that depend only on constants come before their block. The file is
// longer: it contains that of m.
func Model(m *tflite.Model, o rewrite.Options) (*tflite.Model, error) {
	record, err := blocks.Read(m)
	if err != nil || record == nil || len(record.Blocks) == 0 {
		return m, err
	}
	r := &restorer{model: m, record: record, room: int64(len(m.Data))}
	if err := r.restore(); err != nil {
		return nil, err
	}
	result, err := edit.Apply(m, r.edit, o)
	if err != nil {
		return nil, err
	}
	restored, err := tflite.Parse(result.Data, m.Name)
	if err != nil {
		return nil, err
	}
	return restored, r.check(restored)
}

// restorer collects an edit.
type restorer struct {
	model  *tflite.Model
	record *blocks.Record
	edit   edit.Edit
	// room is the number of bytes that restored constants may still take.
	room int64
	// restored are the indexes in the edit of the restored operators.
	restored []int
}

// restore makes the edit.
func (r *restorer) restore() error {
	sub := &r.model.Subgraphs[0]
	list := make([]*block, len(r.record.Blocks))
	next := r.record.Blocks[0].First
	for i := range list {
		b := &r.record.Blocks[i]
		if b.Subgraph != 0 {
			return fmt.Errorf("there are tiles in subgraph %d", b.Subgraph)
		}
		if b.First != next {
			return fmt.Errorf("tensor %s is between tiled blocks, but in none", r.model.TensorID(0, next))
		}
		next += len(b.Tiles)
		list[i] = newBlock(r.model, b)
	}
	if next != len(sub.Tensors) {
		return fmt.Errorf("tensor %s comes after the tiles, but is none", r.model.TensorID(0, next))
	}
	r.edit.Removed = next - r.record.Blocks[0].First
	r.edit.Metadata = &edit.Metadata{Name: blocks.Name}
	of := make([]*block, len(sub.Operators))
	for i := range sub.Operators {
		b, err := r.blockOf(list, &sub.Operators[i])
		if err == nil && b != nil {
			err = b.add(&sub.Operators[i])
		}
		if err != nil {
			return err
		}
		of[i] = b
	}
	for _, b := range list {
		if err := r.addTensors(b); err != nil {
			return err
		}
	}
	for i, b := range of {
		switch {
		case b == nil:
			r.edit.Operators = append(r.edit.Operators, edit.Operator{Kind: edit.Keep, Of: i})
		case b.joined == i:
			if err := r.addOperators(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// blockOf returns the block whose added tensors an operator reads or writes, or nil.
func (r *restorer) blockOf(list []*block, o *tflite.Operator) (of *block, err error) {
	for _, operands := range [][]int{o.Inputs, o.Outputs, o.Intermediates} {
		for _, t := range operands {
			b := r.record.Block(0, t)
			if b == nil {
				continue
			}
			at := slices.IndexFunc(list, func(other *block) bool { return other.Block == b })
			if of != nil && of != list[at] {
				return nil, fmt.Errorf("%s touches two tiled blocks", name(o))
			}
			of = list[at]
		}
	}
	return of, nil
}

// addTensors restores the tensors of a block.
func (r *restorer) addTensors(b *block) error {
	if b.joined < 0 {
		return fmt.Errorf("nothing joins the tiles from tensor %s on", r.model.TensorID(0, b.First))
	}
	for i := range b.Originals {
		original := &b.Originals[i]
		known := func(t edit.Reshaped) bool {
			return t.Tensor == original.Tensor && slices.Equal(t.Shape, original.Shape)
		}
		if !empty(&b.sub.Tensors[original.Tensor]) || slices.ContainsFunc(r.edit.Reshaped, known) {
			continue
		}
		t := edit.Reshaped{Tensor: original.Tensor, Shape: original.Shape}
		if b.makers[i] < 0 {
			var err error
			if t.Data, t.Like, err = b.constant(i, r.room); err != nil {
				return fmt.Errorf("constant %s: %w", r.model.TensorID(0, original.Tensor), err)
			}
			r.room -= int64(len(t.Data))
		}
		r.edit.Reshaped = append(r.edit.Reshaped, t)
	}
	return nil
}

// addOperators restores the operators of a block.
func (r *restorer) addOperators(b *block) error {
	for i := range b.Operators {
		o := &b.Operators[i]
		restored := edit.Operator{Of: b.pieces[i], Inputs: o.Inputs, Outputs: []int{b.Originals[o.Output].Tensor}}
		switch {
		case restored.Of < 0 && b.pads(i):
			restored.Kind, restored.Code = edit.Bare, o.Code
		case restored.Of < 0:
			return fmt.Errorf("nothing computes tiles of tensor %s", r.model.TensorID(0, restored.Outputs[0]))
		case o.Same:
			restored.Kind = edit.Same
		default:
			restored.Kind = edit.Piece
		}
		r.restored = append(r.restored, len(r.edit.Operators))
		r.edit.Operators = append(r.edit.Operators, restored)
	}
	return nil
}

// check checks that the restored operators could have been tiled.
func (r *restorer) check(m *tflite.Model) error {
	rows, channels := split.Cuttable(m), split.ChannelCuttable(m)
	for _, i := range r.restored {
		if rows[i] != nil && channels[i] != nil {
			return fmt.Errorf("as restored, %w", rows[i])
		}
	}
	return nil
}

func name(o *tflite.Operator) string { return fmt.Sprintf("operator %d %s", o.Index, o.Name) }

func empty(t *tflite.Tensor) bool { return slices.Contains(t.Shape, 0) }

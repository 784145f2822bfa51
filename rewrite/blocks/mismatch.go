package blocks

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// mismatch returns why a record does not describe a model, or "". Other tools keep metadata
// unknown to them and may renumber tensors.
func (r *Record) mismatch(m *tflite.Model) string {
	for i := range r.Blocks {
		b := &r.Blocks[i]
		if i > 0 && !b.after(&r.Blocks[i-1]) {
			return fmt.Sprintf("block %d is not in order", i)
		}
		if b.Subgraph >= len(m.Subgraphs) {
			return fmt.Sprintf("block %d is in subgraph %d, but the model has %d", i, b.Subgraph, len(m.Subgraphs))
		}
		c := &checker{Block: b, model: m, sub: &m.Subgraphs[b.Subgraph]}
		if problem := c.problem(); problem != "" {
			return fmt.Sprintf("block %d: %s", i, problem)
		}
	}
	return ""
}

func (b *Block) after(other *Block) bool {
	return b.Subgraph > other.Subgraph || b.Subgraph == other.Subgraph && b.First >= other.First+len(other.Tiles)
}

// checker compares a block with a model.
type checker struct {
	*Block
	model *tflite.Model
	sub   *tflite.Subgraph
	// codes are the operator codes that produce the originals, -1 for inputs of the block.
	codes []int
}

func (c *checker) problem() string {
	n := len(c.sub.Tensors)
	if len(c.Tiles) == 0 || c.First > n || len(c.Tiles) > n-c.First {
		return fmt.Sprintf("%d tensors from index %d, but the subgraph has %d", len(c.Tiles), c.First, n)
	}
	for i, o := range c.Originals {
		if o.Tensor >= c.First || i > 0 && o.Tensor <= c.Originals[i-1].Tensor {
			return fmt.Sprintf("original tensor %d is not in order", o.Tensor)
		}
		if t := &c.sub.Tensors[o.Tensor]; !sameShape(t, o.Shape) {
			return fmt.Sprintf("tensor %d has another shape", o.Tensor)
		}
		c.codes = append(c.codes, -1)
	}
	for i := range c.Operators {
		if problem := c.operator(&c.Operators[i]); problem != "" {
			return problem
		}
	}
	for i, t := range c.Tiles {
		if t.Original >= 0 && !c.tile(&c.sub.Tensors[c.First+i], t) {
			return fmt.Sprintf("tensor %d is not a tile of tensor %d", c.First+i, c.Originals[t.Original].Tensor)
		}
	}
	return ""
}

// sameShape reports whether a tensor has the shape, or its rank and no elements.
func sameShape(t *tflite.Tensor, shape []int32) bool {
	if empty(t) {
		return len(t.Shape) == max(len(shape), 1)
	}
	return slices.Equal(t.Shape, shape)
}

func empty(t *tflite.Tensor) bool { return slices.Contains(t.Shape, 0) }

// operator compares an original operator with the model: only tiles of its output, and tensors
// joined from them, may remain.
func (c *checker) operator(o *Operator) string {
	out := c.Originals[o.Output].Tensor
	switch {
	case o.Code >= len(c.model.OperatorCodes):
		return fmt.Sprintf("operator code %d, but the model has %d", o.Code, len(c.model.OperatorCodes))
	case slices.ContainsFunc(o.Inputs, func(t int) bool { return t >= c.First }):
		return fmt.Sprintf("the operator of tensor %d reads tensors from index %d", out, c.First)
	case c.codes[o.Output] >= 0:
		return fmt.Sprintf("two operators make tensor %d", out)
	}
	c.codes[o.Output] = o.Code
	if by := c.sub.Tensors[out].Producer; by >= 0 && c.builtin(by) != schema.BuiltinOperatorCONCATENATION {
		return fmt.Sprintf("tensor %d is made by operator %d %s", out, by, c.sub.Operators[by].Name)
	}
	return ""
}

func (c *checker) builtin(operator int) schema.BuiltinOperator {
	return c.model.OperatorCodes[c.sub.Operators[operator].Code].Builtin
}

// tile reports whether a tensor matches its record, and is produced by an operator that
// produces such tiles.
func (c *checker) tile(t *tflite.Tensor, tile Tile) bool {
	whole := c.Originals[tile.Original]
	if t.Type != c.sub.Tensors[whole.Tensor].Type || !empty(t) && !within(t.Shape, whole.Shape, tile.Start) {
		return false
	}
	if t.Producer < 0 {
		return true
	}
	switch c.builtin(t.Producer) {
	case schema.BuiltinOperatorSLICE, schema.BuiltinOperatorSTRIDED_SLICE, schema.BuiltinOperatorCONCATENATION:
		return true
	}
	return c.sub.Operators[t.Producer].Code == c.codes[tile.Original]
}

// within reports whether a part with the given start element lies inside a whole.
func within(part, whole []int32, start int64) bool {
	if len(part) != len(whole) {
		return false
	}
	for d := len(whole) - 1; d >= 0; d-- {
		n := int64(max(whole[d], 1))
		if start%n+int64(part[d]) > n {
			return false
		}
		start /= n
	}
	return start == 0
}

package transform

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// change replaces operators of a subgraph by others.
type change struct {
	site *site
	// gone are the replaced operators, by index: the operator of the site, and perhaps others before it.
	gone []int
	// operators take the place of the operator of the site.
	operators []edit.Operator
	// tensors are added. Their indexes follow those of the subgraph's tensors.
	tensors []edit.Tensor
	// reshaped are tensors of the file that get another shape: constants that no other operator reads, and tensors
	// whose readers do not mind.
	reshaped []edit.Reshaped
	// instead maps tensors to those that operators of the file read in their place.
	instead map[int]int
}

// change returns a change that removes the operator of the site.
func (s *site) change() *change {
	return &change{site: s, gone: []int{s.op.Index}, instead: map[int]int{}}
}

// tensor adds a tensor and returns its index.
func (c *change) tensor(t edit.Tensor) int {
	c.tensors = append(c.tensors, t)
	return len(c.site.sub.Tensors) + len(c.tensors) - 1
}

// like adds a tensor with the type and quantisation of another and a shape of its own.
func (c *change) like(t *tflite.Tensor, shape ...int32) int {
	return c.tensor(edit.Tensor{Name: c.name(t), Like: t.Index, Shape: slices.Clone(shape)})
}

// sized reports whether all added and reshaped tensors have a size in bytes, which strings and resources do not.
func (c *change) sized() bool {
	has := func(like int, shape []int32) bool {
		return like < 0 || sized(&tflite.Tensor{Type: c.site.sub.Tensors[like].Type, Shape: shape})
	}
	return !slices.ContainsFunc(c.tensors, func(t edit.Tensor) bool { return !has(t.Like, t.Shape) }) &&
		!slices.ContainsFunc(c.reshaped, func(r edit.Reshaped) bool { return !has(r.Tensor, r.Shape) })
}

// name returns the name of a tensor that takes the place of another or leads to it.
func (c *change) name(t *tflite.Tensor) string {
	return fmt.Sprintf("%s/%d", t.Name, len(c.tensors))
}

// constant returns a constant with the data of one of the file and another shape: the same tensor if only the
// operator of the site reads it, or an added one.
func (c *change) constant(t *tflite.Tensor, shape ...int32) int {
	if len(t.Consumers) == 1 && t.Consumers[0] == c.site.op.Index && !t.Input && !t.Output && !t.Returned {
		c.reshaped = append(c.reshaped, edit.Reshaped{Tensor: t.Index, Shape: shape})
		return t.Index
	}
	return c.tensor(edit.Tensor{Name: c.name(t), Like: t.Index, Shape: shape, Buffer: t.Buffer})
}

// ints adds a constant INT32 vector.
func (c *change) ints(values ...int64) int {
	return c.numbers(fmt.Sprintf("integers/%d", values), []int32{int32(len(values))}, values...)
}

// add adds an operator that makes output.
func (c *change) add(code schema.BuiltinOperator, inputs []int, output int, options ...edit.Option) {
	c.operators = append(c.operators, edit.Operator{Kind: edit.New, Builtin: code, Inputs: inputs, Outputs: []int{output}, Options: options})
}

// again adds the operator of the site with other tensors, and other numbers in some fields of its options.
func (c *change) again(inputs []int, output int, options ...edit.Option) {
	c.operators = append(c.operators, edit.Operator{
		Kind: edit.Piece, Of: c.site.op.Index, Inputs: inputs, Outputs: []int{output}, Options: options,
	})
}

// reshape adds a RESHAPE of tensor from, like t, to a shape, and returns its output.
func (c *change) reshape(from int, t *tflite.Tensor, shape ...int32) int {
	to := c.like(t, shape...)
	c.reshapeTo(from, to, shape...)
	return to
}

// reshapeTo adds a RESHAPE of a tensor to another one, which has a shape. The new shape is in the options, not in a
// tensor, which would take persistent memory.
func (c *change) reshapeTo(from, to int, shape ...int32) {
	c.operators = append(c.operators, edit.Operator{
		Kind: edit.New, Builtin: schema.BuiltinOperatorRESHAPE, Inputs: []int{from}, Outputs: []int{to}, Shape: slices.Clone(shape),
	})
}

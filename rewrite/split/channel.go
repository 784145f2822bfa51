package split

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/tflite"
)

// slicing is a stage split along the channels. A slice takes the same share of every tensor
// that is split: channels are counted in units, and all those tensors have the same number of
// units.
type slicing struct {
	*emitter
	operators []*channelwise
	channelUnits
}

// cutChannels is [Cut] along the channels.
func cutChannels(m *tflite.Model, s Stage, base int) (*Fragment, error) {
	if s.Rows != 1 || s.Columns != 1 || s.Tiles > 1 || s.Lean != 0 || s.Mode != Recompute {
		return nil, &UncuttableError{Operator: -1, Reason: "channels are cut with one row, one column, no lean and mode recompute only"}
	}
	c, err := newSlicing(m, s)
	if err != nil {
		return nil, err
	}
	if err := c.check(base); err != nil {
		return nil, err
	}
	c.base = base
	c.addWhole()
	c.joined(c.slices(), c.outputTensor())
	for _, op := range c.operators {
		c.OwnMACs = saturatingAdd(c.OwnMACs, op.own)
	}
	c.MACs = c.OwnMACs // each channel is computed once
	return c.finished(), nil
}

// newSlicing describes the operators of a stage and finds its output.
func newSlicing(m *tflite.Model, s Stage) (*slicing, error) {
	d, err := newDescriber(m)
	if err != nil {
		return nil, err
	}
	g := &graph{describer: d, stage: s, number: map[int]int{}}
	if err := g.checkRun(); err != nil {
		return nil, err
	}
	c := &slicing{emitter: &emitter{graph: g, constants: map[string]int{}}}
	for i := s.First; i <= s.Last; i++ {
		if d.whole[i] {
			continue
		}
		op, err := d.describeChannels(i)
		if err != nil {
			return nil, err
		}
		if err := c.addOperator(op); err != nil {
			return nil, err
		}
	}
	return c, g.findOut()
}

// addOperator adds an operator whose inputs from within the stage are all sliced.
func (c *slicing) addOperator(op *channelwise) error {
	n, out := &node{operator: op.operator}, op.Outputs[0]
	if _, known := c.number[out]; known || c.constant(out) || c.sub.Tensors[out].Input {
		return c.refuse(n, "its output has another source")
	}
	for position, t := range op.Inputs {
		switch {
		case t < 0:
		case op.cuts(position):
			n.ins = append(n.ins, c.inputValue(t))
		case c.inStage(t):
			return c.refuse(n, "its input %d is made in the stage and is needed as a whole", position)
		}
	}
	n.out = c.value(value{tensor: out, like: out, inside: true})
	c.node(n)
	c.operators = append(c.operators, op)
	c.with(op)
	return nil
}

// inputValue returns the value of a tensor that an operator takes a slice of.
func (c *slicing) inputValue(tensor int) int {
	if v, known := c.number[tensor]; known {
		return v
	}
	return c.value(value{tensor: tensor, like: tensor})
}

// outputTensor returns the stage's output tensor.
func (c *slicing) outputTensor() int { return c.values[c.out].tensor }

// check checks the stage's parameters.
func (c *slicing) check(base int) error {
	why := ""
	operands := 0
	for _, op := range c.operators {
		operands += 2*len(op.Inputs) + 1
	}
	bytes := c.weights()
	switch most := min(c.most(), c.groups()); {
	case c.stage.ChannelStep < 0:
		why = fmt.Sprintf("the channels cannot be cut in steps of %d", c.stage.ChannelStep)
	case base < len(c.sub.Tensors):
		why = fmt.Sprintf("the first added tensor cannot have index %d: there are %d tensors", base, len(c.sub.Tensors))
	case most < 2:
		why = "it does not have enough channels"
	case int64(c.stage.Channels) > most:
		why = fmt.Sprintf("the channels can be cut into %d slices at most, not into %d", most, c.stage.Channels)
	case saturatingMul(int64(c.stage.Channels), int64(operands)) > maxOperands:
		why = fmt.Sprintf("the result would have operators with more than %d inputs and outputs", maxOperands)
	case bytes > int64(len(c.model.Data)):
		// Tensors may share a buffer, so a small file could require much memory.
		why = fmt.Sprintf("%s of constants would be cut, more than the file has", units.ExactBytes(bytes))
	}
	if why == "" {
		return nil
	}
	return &UncuttableError{Operator: -1, Reason: why}
}

// group returns the number of units whose channels are a multiple of the step, and groups the number of such groups: the
// last one has the remaining units as well.
func (c *slicing) group() int64 {
	shape := c.sub.Tensors[c.outputTensor()].Shape
	step := int64(max(c.stage.ChannelStep, 1))
	return step / integer.GCD(step, int64(shape[len(shape)-1])/max(c.units, 1))
}

func (c *slicing) groups() int64 { return max(c.units/c.group(), 1) }

// slices returns the units of each slice.
func (c *slicing) slices() []span {
	group, n := c.group(), int64(c.stage.Channels)
	if group == 1 {
		return pieces(c.units, c.stage.Channels)
	}
	spans := make([]span, n)
	for i := range n { // the last ones are the smaller ones, because of the remaining units
		spans[i] = span{ceilDiv(c.groups()*i, n) * group, ceilDiv(c.groups()*(i+1), n) * group}
	}
	spans[n-1].to = c.units
	return spans
}

// weights returns the bytes of the constants to be sliced.
func (c *slicing) weights() (sum int64) {
	seen := map[channelSlice]bool{}
	for _, op := range c.operators {
		for _, t := range op.slicedInputs {
			key := channelSlice{op.Inputs[t.position], t.dim}
			if tensor := &c.sub.Tensors[key.tensor]; tensor.Constant && !seen[key] {
				seen[key] = true
				bytes, _ := tensor.PackedBytes()
				sum = saturatingAdd(sum, bytes)
			}
		}
	}
	return sum
}

// channelSlice is the dimension along which a tensor is sliced.
type channelSlice struct{ tensor, dim int }

// joined computes slices of the output, given in units, and joins them, in groups if there are
// many. into is the joined tensor, -1 for a new one.
func (c *slicing) joined(spans []span, into int) int {
	if len(spans) == 1 {
		return c.piece(spans[0])
	}
	groups := grouped(spans)
	var parts []int
	for _, g := range groups {
		parts = append(parts, c.joined(g, -1))
	}
	all := span{spans[0].from, spans[len(spans)-1].to}
	out := c.outputTensor()
	last := len(c.sub.Tensors[out].Shape) - 1
	if into < 0 {
		into = c.part(out, last, all, " joined")
	}
	c.add(edit.Operator{Kind: edit.Concatenation, Inputs: parts, Outputs: []int{into}, Axis: last})
	for i, g := range groups {
		c.shareChannels(parts[i], into, out, span{g[0].from - all.from, g[len(g)-1].to - all.from})
	}
	return into
}

// piece adds the operators of one slice of the output and returns its tensor.
func (c *slicing) piece(units span) int {
	have := map[channelSlice]int{}
	out := -1
	for _, op := range c.operators {
		inputs := slices.Clone(op.Inputs)
		for _, t := range op.slicedInputs {
			key := channelSlice{op.Inputs[t.position], t.dim}
			if _, ok := have[key]; !ok {
				have[key] = c.cut(key, units)
			}
			inputs[t.position] = have[key]
		}
		made := op.Outputs[0]
		last := len(c.sub.Tensors[made].Shape) - 1
		out = c.part(made, last, units, "")
		have[channelSlice{made, last}] = out
		c.add(edit.Operator{Kind: edit.Piece, Of: op.Index, Inputs: inputs, Outputs: []int{out}})
	}
	return out
}

// cut returns a slice of a tensor from outside the stage.
func (c *slicing) cut(from channelSlice, units span) int {
	t := &c.sub.Tensors[from.tensor]
	if t.Constant {
		return c.constantPart(from, units)
	}
	out := c.part(from.tensor, from.dim, units, " cut")
	r := c.channels(t, from.dim, units)
	begin, size := make([]int32, len(t.Shape)), slices.Clone(t.Shape)
	begin[from.dim], size[from.dim] = int32(r.from), int32(r.len())
	c.cutPart(from.tensor, out, begin, size)
	c.shareChannels(out, from.tensor, from.tensor, units)
	return out
}

// shareChannels records that the last added operator copies units of a tensor to or from whole,
// if they are contiguous, that is, if the tensor has no rows and columns.
func (c *slicing) shareChannels(part, whole, like int, units span) {
	t := &c.sub.Tensors[like]
	if !isVector(t) {
		return
	}
	at := c.channels(t, len(t.Shape)-1, units).from
	c.Shares = append(c.Shares, Share{
		Operator: len(c.Operators) - 1, Part: part, Whole: whole,
		From: at * int64(tflite.ElementBits(t.Type)/8),
	})
}

// channels converts units of a tensor's dimension to channels.
func (c *slicing) channels(t *tflite.Tensor, dim int, units span) span {
	n := int64(t.Shape[dim]) / c.units
	return span{units.from * n, units.to * n}
}

// part adds a tensor shaped like some units of another one.
func (c *slicing) part(like, dim int, units span, note string) int {
	t := &c.sub.Tensors[like]
	r := c.channels(t, dim, units)
	shape := slices.Clone(t.Shape)
	shape[dim] = int32(r.len())
	start := r.from
	for _, d := range t.Shape[dim+1:] {
		start *= int64(d)
	}
	return c.addTensor(edit.Tensor{
		Name: fmt.Sprintf("%s/channels %d-%d%s", shortName(t.Name), r.from, r.to-1, note), Like: like, Shape: shape,
	}, tile{of: like, start: start})
}

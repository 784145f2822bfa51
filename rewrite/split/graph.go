package split

import (
	"fmt"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/tflite"
)

// graph is a stage in normal form: padding of SAME windows is a separate node, and nodes
// without effect are removed.
type graph struct {
	*describer
	stage Stage
	// values are the tiled tensors and the outputs of padding nodes, identified by index.
	// number maps tensors to values.
	values []value
	number map[int]int
	nodes  []*node
	// reads is the total number of values read by the nodes, with repetition.
	reads int
	// out is the value that leaves the stage.
	out int
	// same maps the output of an operator without effect to its input.
	same map[int]int
	// pads maps input and padding to a padding node's output.
	pads map[padded]int
}

// value is a tensor that is tiled.
type value struct {
	layout
	// tensor is the index in the model, -1 for a padding node's output. like is the tensor with
	// the value's name, type and quantisation.
	tensor, like int
	// inside marks outputs of a node of the stage, isPadded marks outputs of a padding node:
	// instead of rows of a padded value, the unpadded rows are kept and padded again.
	inside, isPadded bool
}

// node is a tiled operator, or a padding node, whose operator is nil.
type node struct {
	*operator
	geometry
	ins []int
	// unpadded holds only the unpadded value, if ins[0] is padded for this node.
	unpadded []int
	out      int
	// inPlace means that the output may overwrite the first input.
	inPlace bool
}

// read returns the values whose regions the plan reads.
func (n *node) read(p *plan) []int {
	if p.direct {
		return n.unpadded
	}
	return n.ins
}

type padded struct {
	in   int
	y, x [2]int64
}

func newGraph(m *tflite.Model, s Stage) (*graph, error) {
	d, err := newDescriber(m)
	if err != nil {
		return nil, err
	}
	g := &graph{
		describer: d, stage: s, number: map[int]int{}, same: map[int]int{}, pads: map[padded]int{},
	}
	if err := g.checkRun(); err != nil {
		return nil, err
	}
	for i := s.First; i <= s.Last; i++ {
		if d.whole[i] {
			continue
		}
		op, err := d.describe(i)
		if err != nil {
			return nil, err
		}
		if err := g.add(op); err != nil {
			return nil, err
		}
	}
	return g, g.findOut()
}

func (g *graph) checkRun() error {
	if s := g.stage; s.First < 0 || s.First > s.Last || s.Last >= len(g.sub.Operators) {
		return &UncuttableError{Operator: -1, Reason: fmt.Sprintf("there is no run of operators %d to %d: the subgraph has %d", s.First, s.Last, len(g.sub.Operators))}
	}
	return nil
}

// add adds an operator and, if its windows reach outside the feature map, a padding node.
func (g *graph) add(op *operator) error {
	refuse := func(format string, args ...any) error {
		return &UncuttableError{Operator: op.Index, Name: op.Name, Reason: fmt.Sprintf(format, args...)}
	}
	out := op.Outputs[0]
	if _, known := g.number[out]; known || g.constant(out) || g.sub.Tensors[out].Input {
		return refuse("its output has another source")
	}
	n := &node{operator: op, geometry: op.geometry}
	for position, t := range op.Inputs {
		if t < 0 {
			continue
		}
		switch {
		case op.cuts(position):
			n.ins = append(n.ins, g.use(t))
		case g.inStage(t):
			return refuse("its input %d is made in the stage and is needed as a whole", position)
		}
	}
	n.unpadded = n.ins[:1]
	if pad, ok := op.geometry.(pad); ok && pad.none() && pad.exact && g.inner(out) {
		g.same[out] = g.values[n.ins[0]].tensor
		return nil
	}
	if w, ok := op.geometry.(window); ok && w.same && !w.padding().none() {
		if g.stage.Carry {
			n.geometry = sameWindow{w.y, w.x, g.filters(n)}
		} else {
			n.ins = []int{g.padded(n.ins[0], w.padding())}
		}
	}
	n.out = g.value(value{layout: op.size, tensor: out, like: out, inside: true})
	g.node(n)
	return nil
}

// value adds a value and returns its index.
func (g *graph) value(v value) int {
	if v.tensor >= 0 {
		g.number[v.tensor] = len(g.values)
	}
	g.values = append(g.values, v)
	return len(g.values) - 1
}

func (g *graph) node(n *node) {
	code, _ := edit.Pad.Builtin()
	if n.operator != nil {
		code = g.code(n.Operator)
	}
	n.inPlace = g.stage.Alias.InPlace(code)
	g.nodes, g.reads = append(g.nodes, n), g.reads+len(n.ins)
}

// inStage reports whether a node of the stage produces a tensor.
func (g *graph) inStage(tensor int) bool {
	v, known := g.number[g.source(tensor)]
	return known && g.values[v].inside
}

// source resolves a tensor through operators without effect.
func (g *graph) source(tensor int) int {
	if in, ok := g.same[tensor]; ok {
		return in
	}
	return tensor
}

// use returns the value for a tensor that an operator reads.
func (g *graph) use(tensor int) int {
	tensor = g.source(tensor)
	if v, known := g.number[tensor]; known {
		return v
	}
	p, _ := g.activation(tensor)
	return g.value(value{layout: p, tensor: tensor, like: tensor})
}

// padded returns a value with padding around it. Nodes with the same padding share it.
func (g *graph) padded(in int, p pad) int {
	key := padded{in, p.y, p.x}
	if out, ok := g.pads[key]; ok {
		return out
	}
	from := g.values[in]
	p.kind, p.exact = edit.Pad, true
	size := featureMap{from.h + p.y[0] + p.y[1], from.w + p.x[0] + p.x[1], from.c}
	out := g.value(value{layout: imageOf(size), tensor: -1, like: from.like, inside: true, isPadded: true})
	g.pads[key] = out
	g.node(&node{geometry: p, ins: []int{in}, out: out})
	return out
}

// findOut finds the one value that leaves the stage and checks that all others contribute to
// it.
func (g *graph) findOut() error {
	g.out = -1
	read := make([]bool, len(g.values))
	for _, n := range g.nodes {
		for _, in := range n.ins {
			read[in] = true
		}
	}
	for _, n := range g.nodes {
		if n.operator == nil {
			continue
		}
		why := g.usedOutside(g.values[n.out].tensor)
		switch {
		case why == "" && !read[n.out]:
			return g.refuse(n, "nothing uses its output")
		case why == "":
		case g.out >= 0:
			return g.refuse(n, "its output %s, and so does that of an operator before it", why)
		default:
			g.out = n.out
		}
	}
	if g.out < 0 {
		return &UncuttableError{Operator: -1, Reason: "nothing leaves the stage"}
	}
	return nil
}

func (g *graph) refuse(n *node, format string, args ...any) error {
	return &UncuttableError{Operator: n.Index, Name: n.Name, Reason: fmt.Sprintf(format, args...)}
}

// inner reports whether a tensor is used only inside the stage.
func (g *graph) inner(tensor int) bool {
	return len(g.sub.Tensors[tensor].Consumers) > 0 && g.usedOutside(tensor) == ""
}

// usedOutside describes a use outside the stage of a tensor computed in it, or returns "".
func (g *graph) usedOutside(tensor int) string {
	t := &g.sub.Tensors[tensor]
	if t.Returned {
		return "is an output of the model"
	}
	for _, consumer := range t.Consumers {
		if consumer < g.stage.First || consumer > g.stage.Last {
			return fmt.Sprintf("is used by operator %d", consumer)
		}
	}
	return ""
}

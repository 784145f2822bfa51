package op

import (
	"fmt"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Sizes describes the sizes of a subgraph's tensors: fixed, or known only after an operator has
// run.
type Sizes struct {
	// Largest is the model in which each tensor of the subgraph has its largest possible size: the
	// shape of a fixed tensor, and a shape with the largest number of elements of any other.
	Largest *tflite.Model
	// After is, per tensor, the index of the operator after which the size is known, [Fixed] for a
	// size that depends on no data.
	After []int
}

// Fixed marks a size that is known before a run.
const Fixed = -1

// Late reports whether the size of any tensor depends on data.
func (s *Sizes) Late() bool {
	return slices.ContainsFunc(s.After, func(k int) bool { return k != Fixed })
}

// SizesOf returns the sizes of a subgraph's tensors for the shapes that its inputs have in m.
//
// A size depends on data if it does not follow from the shapes of the inputs, the constants and
// the integers computed from both. An operator that computes such a size itself (WHERE, or RESHAPE to
// a computed shape) ends a phase: LiteRT prepares the operators after it only when it has run. So
// its own outputs, and each later tensor with a size that depends on data, are known after the last
// such operator before it.
//
// An operator without a formula, such as a custom one, has the shapes of the file, unless these are open
// or an input is late.
//
// The largest sizes hold for all runs without an error: shapes are derived from the largest shapes
// and numbers of the inputs, for kinds whose output shapes grow with these, and are limited otherwise
// as each kind permits. The error, an [*UnboundedError], names a tensor without such a limit.
func SizesOf(m *tflite.Model, subgraph int) (*Sizes, error) {
	if subgraph < 0 || subgraph >= len(m.Subgraphs) {
		return nil, fmt.Errorf("there is no subgraph %d: the model has %d", subgraph, len(m.Subgraphs))
	}
	b := bounder{least: copied(m, subgraph), most: copied(m, subgraph), last: Fixed, elements: map[int]int64{}}
	s := &b.most.m.Subgraphs[subgraph]
	b.sizes = &Sizes{Largest: b.most.m, After: make([]int, len(s.Tensors))}
	for k := range b.sizes.After {
		b.sizes.After[k] = Fixed
	}
	for _, k := range s.Inputs {
		if k >= 0 {
			b.forget(subgraph, &s.Tensors[k])
		}
	}
	for i := range s.Operators {
		if err := b.follow(&b.least.m.Subgraphs[subgraph], s, &s.Operators[i]); err != nil {
			return nil, err
		}
	}
	for k, n := range b.elements {
		s.Tensors[k].Shape = []int32{int32(n)}
	}
	return b.sizes, nil
}

// copied returns a reshaper of a copy of a model, in one subgraph.
func copied(m *tflite.Model, subgraph int) *reshaper {
	c := *m
	c.Subgraphs = slices.Clone(m.Subgraphs)
	r := newReshaper(&c)
	r.enter(subgraph)
	return r
}

// An UnboundedError reports a tensor whose size depends on data and has no limit in the model.
type UnboundedError struct {
	// Tensor is the ID of the tensor, and Name its name.
	Tensor, Name string
	// Subgraph and Operator are the producer of the tensor, and Kind is its kind.
	Subgraph, Operator int
	Kind, Reason       string
}

func (e *UnboundedError) Error() string {
	return fmt.Sprintf("tensor %s (%s), made by operator %d:%d %s, has no largest size: %s", e.Tensor, e.Name, e.Subgraph, e.Operator, e.Kind, e.Reason)
}

// A bounder derives the smallest and the largest shapes and numbers of a subgraph.
type bounder struct {
	least, most *reshaper
	sizes       *Sizes
	// last is the last operator that ended a phase, or [Fixed].
	last int
	// elements holds, by tensor, a largest number of elements that is less than that of its largest
	// shape.
	elements map[int]int64
}

// extremes are an operator among the smallest and the largest shapes and numbers of its inputs.
type extremes struct{ least, most node }

// follow derives the extremes of an operator's outputs.
func (b *bounder) follow(least, most *tflite.Subgraph, o *tflite.Operator) error {
	s := extremes{b.least.node(least, o), b.most.node(most, o)}
	why := b.derive(s)
	if why == nil {
		why = attempt(func() { b.checkExtents(s.most) })
	}
	if why != nil {
		return b.unbounded(s.most, why)
	}
	for i := range o.Outputs {
		b.evaluate(s, i)
	}
	return nil
}

// unbounded returns the error for an operator whose outputs have no limit.
func (b *bounder) unbounded(n node, why *failure) error {
	e := &UnboundedError{Subgraph: n.sub.Index, Operator: n.op.Index, Kind: n.op.Name, Reason: why.reason}
	for i := range n.op.Outputs {
		if t := n.output(i); t != nil {
			e.Tensor, e.Name = n.model.TensorID(n.sub.Index, t.Index), t.Name
			break
		}
	}
	return e
}

// derive sets the output shapes of an operator, or returns the reason why they have no limit.
func (b *bounder) derive(s extremes) *failure {
	if !slices.ContainsFunc(s.most.op.Outputs, func(k int) bool { return k >= 0 }) {
		return nil
	}
	var loose []int
	for _, position := range s.most.params {
		if !s.exact(position) {
			loose = append(loose, position)
		}
	}
	late := slices.ContainsFunc(s.most.op.Inputs, func(k int) bool { return k >= 0 && b.sizes.After[k] != Fixed })
	least, most, why := b.shapesOf(s, loose, late)
	dynamic := func(k int) bool { return k >= 0 && s.most.sub.Tensors[k].Dynamic() }
	computed := s.most.shapes == nil && s.most.limits != nil // by every operator of the kind
	if why != nil && !late && len(loose) == 0 && !computed && !slices.ContainsFunc(s.most.op.Outputs, dynamic) {
		return nil // the file has the shapes
	}
	if why != nil {
		return why
	}
	decides := len(loose) > 0 || s.most.shapes == nil
	for i, k := range s.most.op.Outputs {
		if k < 0 {
			continue
		}
		fixed := slices.Equal(least[i], most[i])
		b.least.set(s.least.sub, k, least[i])
		b.most.set(s.most.sub, k, most[i])
		if !fixed && decides {
			b.last = s.most.op.Index
		}
		if !fixed {
			b.sizes.After[k] = b.last
		}
		b.keepElements(s.most, k)
	}
	return nil
}

// shapesOf returns the smallest and the largest output shapes of an operator with loose parameters,
// whose numbers depend on data, or with late inputs.
func (b *bounder) shapesOf(s extremes, loose []int, late bool) (least, most [][]int32, why *failure) {
	n := s.most
	switch {
	case len(n.op.Subgraphs) > 0:
		return nil, nil, attempt(func() { n.lack("what subgraph %d computes is not followed", n.op.Subgraphs[0]) })
	case !late && len(loose) == 0 && n.shapes != nil:
		most, why = n.derive()
		return most, most, why
	case late && (n.arity > 1 || n.arity == AnyNumber):
		return s.spread()
	}
	if why = attempt(func() { s.checkGrowth(loose) }); why == nil {
		if most, why = n.derive(); why == nil {
			if least, failed := s.least.derive(); failed == nil && covers(least, most) {
				return least, most, nil
			}
		}
	}
	switch {
	case n.limits != nil:
		return s.limited()
	case why == nil:
		return zeros(most), most, nil
	}
	return nil, nil, why
}

// checkGrowth fails unless the output shapes grow with the shapes of the inputs and with the numbers of
// the loose parameters.
func (s extremes) checkGrowth(loose []int) {
	n := s.most
	if n.shapes == nil {
		n.lack("no formula is known for operators of this kind")
	}
	for _, position := range loose {
		if !slices.Contains(n.grows, position) {
			n.lack("its input %d is computed from data", position)
		}
	}
	if n.turns != nil && n.turns(s) {
		n.lack("its output may be larger for a smaller input")
	}
}

// limited returns the extremes of a kind with limits.
func (s extremes) limited() (least, most [][]int32, why *failure) {
	why = attempt(func() {
		low, high := s.most.limits(s)
		s.most.checkOutputs(len(low))
		for i := range low {
			least, most = append(least, s.most.sized(low[i])), append(most, s.most.sized(high[i]))
		}
	})
	return least, most, why
}

// spread returns the extremes of an element-wise operator: a dimension is the fixed one of its inputs
// that is not 1, or else between the smallest and the largest.
func (s extremes) spread() (least, most [][]int32, why *failure) {
	why = attempt(func() {
		s.most.checkOutputs(1)
		from := 0
		if s.most.model.OperatorCodes[s.most.op.Code].Builtin == schema.BuiltinOperatorSELECT && len(s.most.shape(0)) == 1 {
			from = 1 // a condition with one value per row
		}
		var low, high []int64
		for position := from; position < len(s.most.op.Inputs); position++ {
			a, z := s.least.shape(position), s.most.shape(position)
			for len(high) < len(z) {
				low, high = slices.Insert(low, 0, 1), slices.Insert(high, 0, 1)
			}
			before := len(high) - len(z)
			for i := range z {
				l, h := &low[before+i], &high[before+i]
				switch {
				case a[i] == z[i] && z[i] != 1:
					*l, *h = z[i], z[i]
				case *l == *h && *h != 1:
				case *h == 1 && a[i] == z[i]: // both are 1
				default:
					*l, *h = min(*l, a[i]), max(*h, z[i])
				}
			}
		}
		least, most = [][]int32{s.most.sized(low)}, [][]int32{s.most.sized(high)}
	})
	return least, most, why
}

// covers reports whether no dimension of the smallest shapes exceeds the largest shapes.
func covers(least, most [][]int32) bool {
	for i := range most {
		if len(least[i]) != len(most[i]) {
			return false
		}
		for d := range most[i] {
			if least[i][d] > most[i][d] {
				return false
			}
		}
	}
	return true
}

// zeros returns shapes of the same ranks without elements.
func zeros(shapes [][]int32) (list [][]int32) {
	for _, shape := range shapes {
		list = append(list, make([]int32, len(shape)))
	}
	return list
}

// largestExtent is the largest dimension, and the largest number of elements, that counts as a limit.
const largestExtent = math.MaxInt32

// checkExtents fails if an output is too large for a tensor.
func (b *bounder) checkExtents(n node) {
	for i, k := range n.op.Outputs {
		t := n.output(i)
		if t == nil || b.sizes.After[k] == Fixed {
			continue
		}
		if elements, ok := t.Elements(); (!ok || elements > largestExtent) && b.elements[k] == 0 {
			n.fail("the limit of its shape, %v, is more than any tensor has", t.Shape)
		}
	}
}

// keepElements limits the elements of an output that has as many as the first input.
func (b *bounder) keepElements(n node, k int) {
	if b.sizes.After[k] == Fixed || !n.keeps && n.arity != 1 || n.input(0) == nil {
		return
	}
	limit, ok := b.elements[n.input(0).Index]
	if !ok {
		if limit, ok = n.input(0).Elements(); !ok {
			return
		}
	}
	if elements, ok := n.sub.Tensors[k].Elements(); limit <= largestExtent && (!ok || elements > limit) {
		b.elements[k] = limit
	}
}

// exact reports whether the numbers of an input are the same in every run.
func (s extremes) exact(position int) bool {
	t := s.most.input(position)
	if t == nil || t.Constant {
		return true
	}
	low, ok := s.least.known[t.Index]
	high, known := s.most.known[t.Index]
	return ok && known && slices.Equal(low, high)
}

// exactly returns the numbers of a parameter, [onData] for those that depend on data.
func (s extremes) exactly(position int) []int64 {
	t := s.most.input(position)
	if t == nil || t.Constant {
		return s.most.ints(position)
	}
	shape := s.most.shape(position)
	if !slices.Equal(shape, s.least.shape(position)) || product(shape) > maxNumbers {
		s.most.lack("its input %d has a number of elements that depends on data", position)
	}
	list := make([]int64, product(shape))
	low, high := s.least.known[t.Index], s.most.known[t.Index]
	for i := range list {
		if list[i] = onData; i < len(low) && i < len(high) && low[i] == high[i] {
			list[i] = low[i]
		}
	}
	return list
}

// evaluate sets the smallest and the largest numbers of an output.
func (b *bounder) evaluate(s extremes, output int) {
	t := s.most.output(output)
	if t == nil {
		return
	}
	b.forget(s.most.sub.Index, t)
	if s.most.values == nil || b.sizes.After[t.Index] != Fixed {
		return
	}
	exact := true
	for position := range s.most.op.Inputs {
		if s.exact(position) {
			continue
		}
		if exact = false; !s.most.growth.covers(position) {
			return
		}
	}
	low, high := s.least, s.most
	if !exact {
		low, high = s.crossed()
	}
	floor, hasFloor := low.evaluate(output)
	ceiling, hasCeiling := high.evaluate(output)
	open := slices.Contains(floor, noFloor) || slices.Contains(ceiling, noCeiling)
	if s.most.growth.wraps && (!hasFloor || !hasCeiling || open) {
		return
	}
	if !hasFloor && s.most.growth.floor {
		floor, hasFloor = s.least.anyOf(output, noFloor, func(a, b int64) int64 { return max(a, b) })
	}
	if !hasCeiling && s.most.growth.ceiling {
		ceiling, hasCeiling = s.most.anyOf(output, noCeiling, func(a, b int64) int64 { return min(a, b) })
	}
	if hasFloor {
		s.least.known[t.Index] = floor
	}
	if hasCeiling {
		s.most.known[t.Index] = ceiling
	}
}

// Numbers without limits.
const (
	noFloor   = math.MinInt64
	noCeiling = math.MaxInt64
)

// forget lets the numbers of a tensor be any, if they are few enough to be followed.
func (b *bounder) forget(s int, t *tflite.Tensor) {
	delete(b.least.known[s], t.Index)
	delete(b.most.known[s], t.Index)
	n, ok := t.Elements()
	if !ok || n > maxNumbers || t.Constant || b.sizes.After[t.Index] != Fixed || t.Type != schema.TensorTypeINT32 && t.Type != schema.TensorTypeINT64 {
		return
	}
	b.least.known[s][t.Index] = every(noFloor, n)
	b.most.known[s][t.Index] = every(noCeiling, n)
}

// crossed returns the operator with the numbers for its smallest and its largest result: inputs with
// which the result falls have their largest and their smallest numbers.
func (s extremes) crossed() (low, high node) {
	low, high = s.least, s.most
	low.known, high.known = map[int][]int64{}, map[int][]int64{}
	set := func(to map[int][]int64, k int, from map[int][]int64) {
		list, ok := from[k]
		before, again := to[k]
		if to[k] = list; !ok || again && !slices.Equal(before, list) {
			to[k] = nil // not known for both inputs
		}
	}
	for position, k := range s.most.op.Inputs {
		if k < 0 || s.most.input(position).Constant {
			continue
		}
		a, z := s.least.known, s.most.known
		if slices.Contains(s.most.growth.falls, position) {
			a, z = z, a
		}
		set(low.known, k, a)
		set(high.known, k, z)
	}
	if s.most.growth.positive && !s.nonNegative() {
		low.values, high.values = nil, nil
	}
	return low, high
}

// nonNegative reports whether no input can have a number below 0.
func (s extremes) nonNegative() bool {
	for position, k := range s.most.op.Inputs {
		list, ok := s.least.known[k]
		if !ok {
			list, ok = Ints(s.least.model, s.least.input(position))
		}
		if !ok || slices.ContainsFunc(list, func(x int64) bool { return x < 0 }) {
			return false
		}
	}
	return true
}

// anyOf returns the numbers that limit the output of MINIMUM or MAXIMUM: those of any input.
func (n node) anyOf(output int, none int64, nearer func(a, b int64) int64) (list []int64, ok bool) {
	why := attempt(func() {
		list = every(none, n.outputElements(output))
		for position := range n.op.Inputs {
			numbers := n.numbers(position)
			if len(numbers) != 1 && len(numbers) != len(list) {
				n.fail("it is broadcast")
			}
			for i := range list {
				list[i] = nearer(list[i], numbers[i%len(numbers)])
			}
		}
	})
	return list, why == nil
}

// every returns count equal numbers.
func every(x, count int64) []int64 {
	list := make([]int64, count)
	for i := range list {
		list[i] = x
	}
	return list
}

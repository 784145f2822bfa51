package kernels

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules/internal/diagonal"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// Loops describes the loops of an operator's kernel. The output shapes must match the operator.
type Loops struct {
	model *tflite.Model
	sub   *tflite.Subgraph
	op    *tflite.Operator
	// valid forces VALID padding, whatever the options.
	valid bool
	// left is the remaining number of rounds to list.
	left *int64
	// read memoises the input regions by output.
	read map[int][]op.Region
}

// NewLoops returns the loops of an operator. left is the remaining number of rounds to list, which
// it decreases, and valid forces VALID padding.
func NewLoops(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator, left *int64, valid bool) *Loops {
	return &Loops{model: m, sub: s, op: o, left: left, valid: valid}
}

// maxLoopRounds limits the listed rounds of one loop, MaxRounds of all loops of a model together. Real
// models have far fewer. Operators beyond these limits are skipped.
const (
	maxLoopRounds = 1 << 16
	MaxRounds     = 1 << 24
)

// pair returns an input and an output, with the bytes of their elements. It returns false if an
// element is not a whole number of bytes.
func (k *Loops) pair(input, output int) (in, out array, ok bool) {
	in, known := k.array(k.op.Inputs, input)
	out, alsoKnown := k.array(k.op.Outputs, output)
	return in, out, known && alsoKnown
}

// like is pair for kernels with equal input and output types.
func (k *Loops) like(input, output int) (in, out array, ok bool) {
	in, out, ok = k.pair(input, output)
	return in, out, ok && in.kind == out.kind
}

// pictures is like for kernels whose input and output have four dimensions, [batch, height,
// width, channels].
func (k *Loops) pictures(input, output int) (in, out array, ok bool) {
	in, out, ok = k.like(input, output)
	return in, out, ok && len(in.shape) == 4 && len(out.shape) == 4
}

// An array is a kernel's view of a tensor. A file can give it any number of dimensions.
type array struct {
	kind schema.TensorType
	// shape is in elements, each dimension positive; width is the size of one element in bytes.
	shape []int64
	width int64
}

// dim returns the elements along an axis, 1 along a missing axis.
func (a array) dim(axis int) int64 {
	if axis < 0 || axis >= len(a.shape) {
		return 1
	}
	return a.shape[axis]
}

func (k *Loops) array(list []int, place int) (a array, ok bool) {
	t := k.sub.Operand(list, place)
	if t == nil {
		return array{}, false
	}
	bits := ElementBits(t.Type)
	// Kernels count bytes in 32 bits.
	if bytes, known := t.PackedBytes(); !known || bytes > math.MaxInt32 || bits == 0 || bits%8 != 0 || tflite.ElementBits(t.Type) != int(bits) {
		return array{}, false
	}
	a = array{kind: t.Type, width: bits / 8}
	for _, d := range t.Shape {
		if d <= 0 {
			return array{}, false
		}
		a.shape = append(a.shape, int64(d))
	}
	return a, true
}

// stride returns the bytes between adjacent elements along an axis: the size of the whole array
// for an axis below 0, and of one element for an axis past the last.
func (a array) stride(axis int) int64 {
	bytes := a.width
	for i := max(axis+1, 0); i < len(a.shape); i++ {
		bytes *= a.shape[i]
	}
	return bytes
}

// regions returns the input regions of an output.
func (k *Loops) regions(output int) []op.Region {
	if _, ok := k.read[output]; !ok {
		k.read = map[int][]op.Region{output: op.Regions(k.model, k.sub, k.op, output)}
	}
	return k.read[output]
}

// listed lists the rounds of a loop individually. It returns false if there are too many.
func (k *Loops) listed(n int64, round func(i int64) diagonal.Round) (diagonal.Loop, bool) {
	if *k.left -= n; n > maxLoopRounds || *k.left < 0 {
		return nil, false
	}
	l := make(diagonal.Loop, n)
	for i := range l {
		l[i] = round(int64(i))
	}
	return l, true
}

// inOrder is a kernel that writes the output elements in order, each after reading the input
// elements that it depends on, as given by package op.
func inOrder(k *Loops, input, output int) (diagonal.Nest, bool) {
	in, out, ok := k.pair(input, output)
	regions := k.regions(output)
	if !ok || len(regions[input]) != len(in.shape) {
		return diagonal.Nest{}, false
	}
	nest := diagonal.Nest{Unit: out.width}
	for axis, n := range out.shape {
		l, ok := k.along(in, regions[input], axis, n, out.stride(axis))
		if !ok {
			return diagonal.Nest{}, false
		}
		nest.Loops = append(nest.Loops, l)
	}
	// Accesses shared by all output elements form a loop of one round.
	l, _ := k.along(in, regions[input], -1, 1, 0)
	nest.Loops = append(nest.Loops, l)
	return nest, true
}

// along returns the loop along an axis of the output, which advances by the given number of
// bytes.
func (k *Loops) along(a array, region op.Region, of int, n, writes int64) (diagonal.Loop, bool) {
	round := func(i int64) diagonal.Round {
		r := diagonal.Round{Writes: i * writes}
		for axis, x := range region {
			if x.Of != of && !(x.Of < 0 && of < 0) {
				continue
			}
			span := x.Reads(op.Span{From: i, To: i + 1})
			r.Reads += span.From * a.stride(axis)
			r.ReadsNone = r.ReadsNone || span.Empty()
		}
		return r
	}
	if n > 4 && even(region, of, n) {
		return diagonal.Loop{round(0), round(1), round(n - 2), round(n - 1)}, true
	}
	return k.listed(n, round)
}

// even reports whether an axis of the output is read one element at a time, without padding.
func even(region op.Region, of int, n int64) bool {
	for _, x := range region {
		if x.Of == of && (x.Scale != 1 || x.Reach != 0 || x.Before > 0 || x.Before+x.In <= (n-1)*x.Stride || x.Stride < 0) {
			return false
		}
	}
	return true
}

// copiedInOrder is inOrder for kernels that copy contiguous elements along the last axis at
// once.
func copiedInOrder(k *Loops, input, output int) (diagonal.Nest, bool) {
	nest, ok := inOrder(k, input, output)
	last := len(nest.Loops) - 2
	if !ok || last < 0 {
		return nest, ok
	}
	if r := k.regions(output)[input]; !slices.ContainsFunc(r, func(a op.Axis) bool { return a.Of == last && a.Stride == 1 }) {
		return nest, true
	}
	rounds := nest.Loops[last]
	nest.Unit += rounds[len(rounds)-1].Writes
	nest.Loops[last], nest.Pieces = rounds[:1], len(rounds) > 1
	return nest, true
}

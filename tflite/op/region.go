package op

import "math"

// A Span is a range of elements along one axis, half-open.
type Span struct{ From, To int64 }

// Empty reports whether there is no element in it.
func (s Span) Empty() bool { return s.To <= s.From }

// A Box is a range of elements along each axis of a tensor.
type Box []Span

// A Region tells which elements of an input an operator reads for a box of one of its outputs:
// an [Axis] for each axis of the input. It has none where all is read that there is: of scalars,
// of inputs that are left out, and of those whose number of axes is not known.
type Region []Axis

// Reads returns the elements of the input that are read for a box of the output. They are at
// least those that are needed: where an operator takes elements here and there, the box is the
// one around them. Nothing is read for an empty box.
func (r Region) Reads(output Box) Box {
	box := make(Box, len(r))
	for _, s := range output {
		if s.Empty() {
			return box
		}
	}
	for i, a := range r {
		asked := Span{0, 1}
		switch {
		case a.Of >= len(output):
			a = whole(a.In)
		case a.Of >= 0:
			asked = output[a.Of]
		}
		box[i] = a.Reads(asked)
	}
	return box
}

// An Axis tells which elements along one axis of an input are read for elements along one axis
// of the output. Element o of the output reads those from
//
//	floor((o*Stride - Before) / Scale)  to  floor((o*Stride - Before + Reach) / Scale),
//
// both included, as far as the input has them. The zero Scale says that all are read.
type Axis struct {
	// Of is the axis of the output; -1 says that the same is read for all of the output, as
	// for element 0.
	Of int
	// In is how many elements the input has along the axis, [Open] where that is not known.
	In int64

	Stride, Before, Reach, Scale int64
}

// Open stands for the number of elements along an axis that is not known.
const Open = math.MaxInt64

// whole is an axis of which all elements are read.
func whole(in int64) Axis { return Axis{Of: -1, In: in} }

// same is an axis whose elements are read at their own places.
func same(of int, in int64) Axis { return Axis{Of: of, In: in, Stride: 1, Scale: 1} }

// shifted is an axis whose element o is read from place o*stride+begin.
func shifted(of int, in, begin, stride int64) Axis {
	return Axis{Of: of, In: in, Stride: stride, Before: -begin, Scale: 1}
}

// at is an axis of which one element is read, whatever is asked for.
func at(place, in int64) Axis { return shifted(-1, in, place, 0) }

// Reads returns the elements that are read for those of the output, which are not none. It
// may return an empty span: then there is nothing but padding.
func (a Axis) Reads(output Span) Span {
	if a.Scale <= 0 {
		return Span{0, a.In}
	}
	first, last := bounded(output.From), bounded(output.To-1)
	if a.Stride < 0 {
		first, last = last, first
	}
	s := Span{
		floorDiv(first*a.Stride-a.Before, a.Scale),
		floorDiv(last*a.Stride-a.Before+a.Reach, a.Scale) + 1,
	}
	s = Span{min(max(s.From, 0), a.In), min(s.To, a.In)}
	return Span{s.From, max(s.From, s.To)}
}

// bounded keeps places within those that a tensor can have, so that no product overflows.
func bounded(place int64) int64 { return min(max(place, 0), math.MaxInt32) }

// floorDiv divides, and rounds down. The divisor is positive.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// ceilDiv divides numbers that are not negative, and rounds up.
func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }

// A Way says in one word how an axis is read.
type Way string

const (
	// Whole: all elements are read for each element of the output.
	Whole Way = "whole"
	// Same: the element at the same place.
	Same Way = "same"
	// Shifted: one element, whose place moves as the output's does.
	Shifted Way = "shifted"
	// Windowed: some elements beside each other, which move as the output does.
	Windowed Way = "window"
	// Scaled: the input has more or fewer elements for the same stretch.
	Scaled Way = "scaled"
)

// Way returns how the axis is read.
func (a Axis) Way() Way {
	switch {
	case a.Scale <= 0:
		return Whole
	case a.Scale > 1:
		return Scaled
	case a.Reach > 0:
		return Windowed
	case a.Stride == 1 && a.Before == 0 && a.Of >= 0:
		return Same
	}
	return Shifted
}

package op

import "math"

// A Span is a range of elements along one axis, half-open.
type Span struct{ From, To int64 }

func (s Span) Empty() bool { return s.To <= s.From }

// A Box is a range of elements along each axis of a tensor.
type Box []Span

// A Region maps a box of an output to the elements of an input that the operator reads: one
// [Axis] per axis of the input. It is empty if the whole input is read: scalars, omitted
// inputs, and inputs of unknown rank.
type Region []Axis

// Reads returns the elements of the input that are read for a box of the output. It may return
// more than needed: if an operator reads scattered elements, it returns their bounding box.
// Nothing is read for an empty box.
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

// An Axis maps elements along one axis of the output to the elements read along one axis of an
// input. Element o of the output reads the elements from
//
//	floor((o*Stride - Before) / Scale)  to  floor((o*Stride - Before + Reach) / Scale),
//
// both inclusive, clipped to the input. If Scale is zero, all elements are read.
type Axis struct {
	// Of is the axis of the output; -1 means that every output element reads the same elements
	// as element 0.
	Of int
	// In is the number of elements of the input along the axis, [Open] if unknown.
	In int64

	Stride, Before, Reach, Scale int64
}

// Open is the unknown number of elements along an axis.
const Open = math.MaxInt64

// whole is an axis that is read completely.
func whole(in int64) Axis { return Axis{Of: -1, In: in} }

// same is an axis whose elements are read at the same position.
func same(of int, in int64) Axis { return Axis{Of: of, In: in, Stride: 1, Scale: 1} }

// shifted is an axis that reads element o*stride+begin for output element o.
func shifted(of int, in, begin, stride int64) Axis {
	return Axis{Of: of, In: in, Stride: stride, Before: -begin, Scale: 1}
}

// at is an axis that always reads the element at one place.
func at(place, in int64) Axis { return shifted(-1, in, place, 0) }

// Reads returns the elements read for a non-empty span of the output. An empty result means
// that only padding is read.
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

// bounded clamps a position to the range of tensor indexes, so that no product overflows.
func bounded(place int64) int64 { return min(max(place, 0), math.MaxInt32) }

// floorDiv divides and rounds down; b must be positive.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// ceilDiv divides and rounds up; a must not be negative.
func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }

// A Pattern names the access pattern of an axis.
type Pattern string

const (
	// Whole reads all elements for each output element.
	Whole Pattern = "whole"
	// Same reads the element at the same position.
	Same Pattern = "same"
	// Shifted reads one element, at a position that moves with the output.
	Shifted Pattern = "shifted"
	// Windowed reads several adjacent elements, which move with the output.
	Windowed Pattern = "window"
	// Scaled maps the axis to an output with more or fewer elements.
	Scaled Pattern = "scaled"
)

func (a Axis) Pattern() Pattern {
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

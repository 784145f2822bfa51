package op_test

import (
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// A definition is an operator and the loops that compute it, from its documentation and not
// from package op: takes calls read for each input element that output element o depends on.
// Elements outside the input are padding.
type definition struct {
	sample
	takes func(output int, o []int, read func(input int, index ...int))
	// loose reports that op.Regions may be larger than the elements taken.
	loose bool
}

// TestRegions compares the regions with the elements that the loops take, for every box of
// every output.
func TestRegions(t *testing.T) {
	for _, d := range definitions() {
		m := d.model(t)
		s := &m.Subgraphs[0]
		shapes, err := op.Shapes(m, s, &s.Operators[0])
		if err != nil || !slices.EqualFunc(shapes, d.outputs, func(a, b []int32) bool { return slices.Equal(a, b) }) {
			t.Errorf("%s: the shapes %v (%v), not %v", d.name, shapes, err, d.outputs)
		}
		for output := range d.outputs {
			d.compare(t, m, output)
		}
	}
}

func (d definition) compare(t *testing.T, m *tflite.Model, output int) {
	t.Helper()
	s := &m.Subgraphs[0]
	regions := op.Regions(m, s, &s.Operators[0], output)
	for _, box := range boxes(d.outputs[output]) {
		taken := d.taken(s, output, box)
		for i, r := range regions {
			got := r.Reads(box)
			for axis := range got {
				want := taken[i][axis]
				wrong := !want.Empty() && (got[axis].From > want.From || got[axis].To < want.To)
				if wrong || !d.loose && r[axis].Pattern() != op.Whole && !want.Empty() && got[axis] != want {
					t.Errorf("%s: box %v of output %d: axis %d of input %d, %+v, reads %v, it takes %v", d.name, box, output, axis, i, r[axis], got[axis], want)
					return
				}
			}
		}
	}
}

// taken returns the bounding box, per input, of all elements that a box of an output takes.
func (d definition) taken(s *tflite.Subgraph, output int, box op.Box) []op.Box {
	list := make([]op.Box, len(d.in))
	for i := range list {
		if in := s.Operand(s.Operators[0].Inputs, i); in != nil {
			list[i] = make(op.Box, len(in.Shape))
		}
	}
	each(box, func(o []int) {
		d.takes(output, o, func(input int, index ...int) {
			shape := s.Operand(s.Operators[0].Inputs, input).Shape
			if len(index) != len(shape) {
				panic(d.name)
			}
			for axis, i := range index {
				if i < 0 || i >= int(shape[axis]) {
					return
				}
			}
			for axis, i := range index {
				grow(&list[input][axis], int64(i))
			}
		})
	})
	return list
}

func grow(s *op.Span, i int64) {
	if s.Empty() {
		*s = op.Span{From: i, To: i + 1}
	}
	*s = op.Span{From: min(s.From, i), To: max(s.To, i+1)}
}

// each calls f for the positions of a box.
func each(box op.Box, f func(o []int)) {
	o := make([]int, len(box))
	var walk func(axis int)
	walk = func(axis int) {
		if axis == len(box) {
			f(o)
			return
		}
		for i := box[axis].From; i < box[axis].To; i++ {
			o[axis] = int(i)
			walk(axis + 1)
		}
	}
	walk(0)
}

// boxes returns the boxes of a shape: along one axis every span, and the first, the last or all
// elements along the others.
func boxes(shape []int32) (list []op.Box) {
	if len(shape) == 0 {
		return []op.Box{{}}
	}
	for axis := range shape {
		for from := int64(0); from < int64(shape[axis]); from++ {
			for to := from + 1; to <= int64(shape[axis]); to++ {
				for way := range 3 {
					list = append(list, boxAround(shape, axis, op.Span{From: from, To: to}, way))
				}
			}
		}
	}
	return list
}

func boxAround(shape []int32, axis int, span op.Span, way int) (box op.Box) {
	for i, d := range shape {
		n := int64(d)
		switch {
		case i == axis:
			box = append(box, span)
		case way == 0:
			box = append(box, op.Span{To: 1})
		case way == 1:
			box = append(box, op.Span{From: n - 1, To: n})
		default:
			box = append(box, op.Span{To: n})
		}
	}
	return box
}

// An empty box reads nothing, and one of another rank may read anything.
func TestReadsOddBoxes(t *testing.T) {
	r := op.Region{{Of: 1, In: 9, Stride: 1, Scale: 1}, {Of: -1, In: 4}}
	for _, c := range []struct {
		box  op.Box
		want op.Box
	}{
		{op.Box{{0, 5}, {2, 3}}, op.Box{{2, 3}, {0, 4}}},
		{op.Box{{3, 3}, {2, 3}}, op.Box{{}, {}}},
		{op.Box{{0, 5}}, op.Box{{0, 9}, {0, 4}}},
		{op.Box{{0, 1}, {-4, 1 << 62}}, op.Box{{0, 9}, {0, 4}}},
	} {
		if got := r.Reads(c.box); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.box, got, c.want)
		}
	}
}

func definitions() (list []definition) {
	for _, family := range [][]definition{windowDefinitions, pictureDefinitions, copyDefinitions, otherDefinitions} {
		list = append(list, family...)
	}
	return list
}

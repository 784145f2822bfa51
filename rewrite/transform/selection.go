package transform

import "github.com/tflarena/tflarena/tflite/op"

// A selection is what a slice takes of a dimension of in elements: count elements, from one on, by steps.
type selection struct{ in, from, step, count int64 }

// whole reports whether a selection takes all elements in order.
func (s selection) whole() bool {
	return s.from == 0 && s.count == s.in && (s.step == 1 || s.count == 1)
}

// selections returns what a slice with constant parameters takes of each dimension of its input.
func (s *site) selections() (list []selection, ok bool) {
	for i := 1; i < len(s.op.Inputs); i++ {
		if _, ok := s.ints(i); !ok {
			return nil, false
		}
	}
	in, out := s.in(0), s.out()
	regions := op.Regions(s.m, s.sub, s.op, 0)
	if !static(in, out) || len(in.Shape) == 0 || len(regions) == 0 || len(regions[0]) != len(in.Shape) {
		return nil, false
	}
	for i, a := range regions[0] {
		l := selection{in: int64(in.Shape[i]), from: -a.Before, step: a.Stride, count: 1}
		if a.Of >= len(out.Shape) || a.Scale != 1 || a.Reach != 0 {
			return nil, false
		}
		if a.Of >= 0 {
			l.count = int64(out.Shape[a.Of])
		}
		if l.count == 1 {
			l.step = 1
		}
		if last := l.from + (l.count-1)*l.step; l.from < 0 || l.from >= l.in || last < 0 || last >= l.in || l.step == 0 {
			return nil, false
		}
		list = append(list, l)
	}
	n := int64(1)
	for _, l := range list {
		n *= l.count
	}
	return list, n == elements(out.Shape)
}

// joined returns selections of fewer dimensions that take the same elements. Strided ones may have steps.
func joined(list []selection, strided bool) (fewer []selection) {
	for _, b := range list {
		if len(fewer) == 0 {
			fewer = append(fewer, b)
			continue
		}
		a := &fewer[len(fewer)-1]
		switch {
		case a.count == 1: // the elements of b, in one place of a
			*a = selection{in: a.in * b.in, from: a.from*b.in + b.from, step: b.step, count: b.count}
		case b.whole() && a.step == 1:
			*a = selection{in: a.in * b.in, from: a.from * b.in, step: 1, count: a.count * b.in}
		case b.count == 1 && (strided || b.in == 1):
			*a = selection{in: a.in * b.in, from: a.from*b.in + b.from, step: a.step * b.in, count: a.count}
		default:
			fewer = append(fewer, b)
		}
	}
	return fewer
}

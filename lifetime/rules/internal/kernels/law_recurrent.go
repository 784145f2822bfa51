package kernels

import (
	"fmt"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// Requirements of recurrent cells.

var svdfLaws = laws(counts(5, 5, 1), has(input(0), input(1), input(2), input(4), output(0)), takes(input(0), f32, i8),
	ranks(input(0), 2, 2), ranks(input(1), 2, 2), ranks(input(2), 2, 2), ranks(input(4), 2, 2), ranks(output(0), 2, 2), prepare(func(k *Kernel) string {
		var o schema.SVDFOptions
		rank := int64(0)
		if k.op.Options(schema.BuiltinOptionsSVDFOptions, &o) {
			rank = int64(o.Rank())
		}
		batch, filters, memory := Dim(k.input(0), 0), Dim(k.input(1), 0), Dim(k.input(2), 1)
		switch bias, state := k.input(3), k.input(4); {
		case rank <= 0 || filters%rank != 0:
			return fmt.Sprintf("its rank %d does not divide its %d filters", rank, filters)
		case Dim(k.output(0), 0) != batch || Dim(k.output(0), 1) != filters/rank, Dim(k.input(1), 1) != Dim(k.input(0), 1),
			Dim(k.input(2), 0) != filters, Dim(state, 0) != batch || Dim(state, 1) != memory*filters, bias != nil && Dim(bias, 0) != filters/rank:
			return "the shapes of its operands do not go together"
		case !state.Variable:
			return "its state is not a variable"
		}
		return ""
	}),
	when(of(input(0), f32), takes(input(1), f32), takes(input(2), f32), takes(input(3), f32), takes(input(4), f32), takes(output(0), f32)),
	when(of(input(0), i8), takes(input(1), i8), takes(input(2), i8, i16), takes(input(3), i32), takes(input(4), i8, i16), takes(output(0), i8), has(input(3)), later(alike(input(2), input(4)))[0], prepare(func(k *Kernel) string {
		product := float64(quantumOf(k.input(4)).scale * quantumOf(k.input(2)).scale)
		if !(math.Abs(float64(quantumOf(k.input(3)).scale)-product) < 1e-5) {
			return fmt.Sprintf("its bias has the scale %g, and those of its state and its time weights make %g", quantumOf(k.input(3)).scale, product)
		}
		return ""
	})))

// lstmLaws are the laws of a cell without coupled gates: all of its weights, biases and states
// must be present.
var lstmLaws = laws(counts(24, 24, 1),
	has(input(0), input(1), input(2), input(3), input(4), input(5), input(6), input(7), input(8), input(12), input(13), input(14), input(15), input(18), input(19), output(0)),
	prepare(func(k *Kernel) string {
		for _, i := range []int{18, 19} {
			if !k.input(i).Variable {
				return fmt.Sprintf("its input %d, a state, is not a variable", i)
			}
		}
		return ""
	}), takes(input(0), f32, i8, i16), ranks(input(0), 3, 3), ranks(output(0), 3, 3), alike(input(0), input(18), output(0)),
	alike(input(1), input(2), input(3), input(4), input(5), input(6), input(7), input(8)), alike(input(12), input(13), input(14), input(15)), cellShapes,
	when(of(input(0), f32), takes(input(19), f32)), when(of(input(0), i8, i16), takes(input(19), i16)))

// cellShapes requires that weights, biases and states have the sizes derived from input and
// state.
var cellShapes = prepare(func(k *Kernel) string {
	var o schema.UnidirectionalSequenceLSTMOptions
	x, y := k.input(0), k.output(0)
	features, cells, batch := x.Shape[2], int32(Dim(k.input(18), 1)), x.Shape[0]
	if k.op.Options(schema.BuiltinOptionsUnidirectionalSequenceLSTMOptions, &o) && o.TimeMajor() {
		batch = x.Shape[1]
	}
	want := map[int][]int32{}
	for i := 1; i <= 4; i++ {
		want[i], want[i+4], want[i+11] = []int32{cells, features}, []int32{cells, cells}, []int32{cells}
	}
	for i := 1; i <= 15; i++ {
		if w, t := want[i], k.input(i); w != nil && !slices.Equal(t.Shape, w) {
			return fmt.Sprintf("its input %d has the shape %v, and the cell wants %v", i, t.Shape, w)
		}
	}
	for _, i := range []int{18, 19} {
		if Elements(k.input(i)) != int64(batch)*int64(cells) {
			return fmt.Sprintf("its input %d has the shape %v, for a batch of %d and %d cells", i, k.input(i).Shape, batch, cells)
		}
	}
	if !slices.Equal(y.Shape, []int32{x.Shape[0], x.Shape[1], cells}) {
		return fmt.Sprintf("its output has the shape %v, for an input %v and %d cells", y.Shape, x.Shape, cells)
	}
	return ""
})

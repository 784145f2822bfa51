package faults

import (
	"fmt"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/schema"
)

// Requirements of recurrent cells.

var svdfLaws = laws(counts(5, 5, 1), has(in(0), in(1), in(2), in(4), out(0)), takes(in(0), f32, i8),
	ranks(in(0), 2, 2), ranks(in(1), 2, 2), ranks(in(2), 2, 2), ranks(in(4), 2, 2), ranks(out(0), 2, 2), prepare(func(k kernel) string {
		var o schema.SVDFOptions
		rank := int64(0)
		if k.op.Options(schema.BuiltinOptionsSVDFOptions, &o) {
			rank = int64(o.Rank())
		}
		batch, filters, memory := kernels.Dim(k.input(0), 0), kernels.Dim(k.input(1), 0), kernels.Dim(k.input(2), 1)
		switch bias, state := k.input(3), k.input(4); {
		case rank <= 0 || filters%rank != 0:
			return fmt.Sprintf("its rank %d does not divide its %d filters", rank, filters)
		case kernels.Dim(k.output(0), 0) != batch || kernels.Dim(k.output(0), 1) != filters/rank, kernels.Dim(k.input(1), 1) != kernels.Dim(k.input(0), 1),
			kernels.Dim(k.input(2), 0) != filters, kernels.Dim(state, 0) != batch || kernels.Dim(state, 1) != memory*filters, bias != nil && kernels.Dim(bias, 0) != filters/rank:
			return "the shapes of its operands do not go together"
		case !state.Variable:
			return "its state is not a variable"
		}
		return ""
	}),
	when(of(in(0), f32), takes(in(1), f32), takes(in(2), f32), takes(in(3), f32), takes(in(4), f32), takes(out(0), f32)),
	when(of(in(0), i8), takes(in(1), i8), takes(in(2), i8, i16), takes(in(3), i32), takes(in(4), i8, i16), takes(out(0), i8), has(in(3)), later(alike(in(2), in(4)))[0], prepare(func(k kernel) string {
		product := float64(quantumOf(k.input(4)).scale * quantumOf(k.input(2)).scale)
		if !(math.Abs(float64(quantumOf(k.input(3)).scale)-product) < 1e-5) {
			return fmt.Sprintf("its bias has the scale %g, and those of its state and its time weights make %g", quantumOf(k.input(3)).scale, product)
		}
		return ""
	})))

// lstmLaws are the laws of a cell without coupled gates: all of its weights, biases and states
// must be present.
var lstmLaws = laws(counts(24, 24, 1),
	has(in(0), in(1), in(2), in(3), in(4), in(5), in(6), in(7), in(8), in(12), in(13), in(14), in(15), in(18), in(19), out(0)),
	prepare(func(k kernel) string {
		for _, i := range []int{18, 19} {
			if !k.input(i).Variable {
				return fmt.Sprintf("its input %d, a state, is not a variable", i)
			}
		}
		return ""
	}), takes(in(0), f32, i8, i16), ranks(in(0), 3, 3), ranks(out(0), 3, 3), alike(in(0), in(18), out(0)),
	alike(in(1), in(2), in(3), in(4), in(5), in(6), in(7), in(8)), alike(in(12), in(13), in(14), in(15)), cellShapes,
	when(of(in(0), f32), takes(in(19), f32)), when(of(in(0), i8, i16), takes(in(19), i16)))

// cellShapes requires that weights, biases and states have the sizes derived from input and
// state.
var cellShapes = prepare(func(k kernel) string {
	var o schema.UnidirectionalSequenceLSTMOptions
	x, y := k.input(0), k.output(0)
	features, cells, batch := x.Shape[2], int32(kernels.Dim(k.input(18), 1)), x.Shape[0]
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
		if kernels.Elements(k.input(i)) != int64(batch)*int64(cells) {
			return fmt.Sprintf("its input %d has the shape %v, for a batch of %d and %d cells", i, k.input(i).Shape, batch, cells)
		}
	}
	if !slices.Equal(y.Shape, []int32{x.Shape[0], x.Shape[1], cells}) {
		return fmt.Sprintf("its output has the shape %v, for an input %v and %d cells", y.Shape, x.Shape, cells)
	}
	return ""
})

package transform

import (
	"encoding/binary"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// generators add operators to which a rule mostly applies, and return the output of the graph. Each rule that saves memory or work, or
// is for tiling, has one.
var generators = map[string]func(*draft) int{
	"pad-nothing": func(d *draft) int {
		x := d.image(d.number())
		y := d.operator(schema.BuiltinOperatorPAD, schema.BuiltinOptionsPadOptions, optionTable(schema.PadOptionsStart, schema.PadOptionsEnd), d.same(x), x, d.integers(make([]int32, 8), 4, 2))
		return d.relu(y)
	},
	"resize-to-same": func(d *draft) int {
		x := d.image(some(d, f32, i8))
		shape := d.sub.Tensors[x].Shape
		size := d.integers(shape[1:3])
		if d.IntN(2) == 0 {
			return d.relu(d.operator(schema.BuiltinOperatorRESIZE_BILINEAR, schema.BuiltinOptionsResizeBilinearOptions, optionTable(schema.ResizeBilinearOptionsStart, schema.ResizeBilinearOptionsEnd,
				set(schema.ResizeBilinearOptionsAddHalfPixelCenters, d.IntN(2) == 0)), d.same(x), x, size))
		}
		return d.relu(d.operator(schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR, schema.BuiltinOptionsResizeNearestNeighborOptions,
			optionTable(schema.ResizeNearestNeighborOptionsStart, schema.ResizeNearestNeighborOptionsEnd, set(schema.ResizeNearestNeighborOptionsAddHalfPixelCenters, d.IntN(2) == 0)), d.same(x), x, size))
	},
	"slice-whole": func(d *draft) int {
		x := d.image(some(d, f32, i8))
		shape := slices.Clone(d.sub.Tensors[x].Shape)
		begin := make([]int32, len(shape))
		if d.IntN(2) == 0 {
			end := slices.Clone(shape)
			if d.IntN(2) == 0 {
				end[d.IntN(len(end))] = -1
			}
			return d.relu(d.operator(schema.BuiltinOperatorSLICE, schema.BuiltinOptionsNONE, nil, d.same(x), x, d.integers(begin), d.integers(end)))
		}
		mask := int32(0)
		if d.IntN(2) == 0 {
			begin[1], mask = shape[1], 2 // the mask hides it
		}
		return d.relu(d.operator(schema.BuiltinOperatorSTRIDED_SLICE, schema.BuiltinOptionsStridedSliceOptions, optionTable(schema.StridedSliceOptionsStart, schema.StridedSliceOptionsEnd,
			set(schema.StridedSliceOptionsAddBeginMask, mask), set(schema.StridedSliceOptionsAddEndMask, some[int32](d, 0, 15))),
			d.same(x), x, d.integers(begin), d.integers(shape), d.integers([]int32{1, 1, 1, 1})))
	},
	"reshape-to-same": func(d *draft) int {
		x := d.image(d.number())
		return d.relu(d.reshape(x, d.sub.Tensors[x].Shape...))
	},
	"reshape-again": func(d *draft) int {
		x := d.image(d.number())
		n := int32(elements(d.sub.Tensors[x].Shape))
		return d.reshape(d.reshape(x, n, 1), 1, n)
	},
	"transpose-nothing": func(d *draft) int {
		t := some(d, f32, i8)
		if d.IntN(2) == 0 {
			x := d.input(t, 1, 1, d.dim(5), d.dim(5))
			return d.relu(d.transpose(x, 1, 0, 2, 3))
		}
		x := d.image(t)
		return d.relu(d.transpose(x, 0, 1, 2, 3))
	},
	"flatten-for-fully-connected": func(d *draft) int {
		x := d.image(some(d, f32, i8))
		shape := d.sub.Tensors[x].Shape
		depth := int32(elements(shape[1:]))
		return d.connected(d.reshape(x, shape[0], depth), depth, d.dim(9), false, false)
	},
	"reshape-after-fully-connected": func(d *draft) int {
		depth, units := d.dim(30), d.dim(9)
		x := d.input(some(d, f32, i8), append(d.shape(d.IntN(4)), depth)...)
		y := d.connected(x, depth, units, d.IntN(3) > 0, false)
		y = d.reshape(y, int32(elements(d.sub.Tensors[y].Shape))/units, units)
		if d.IntN(2) == 0 {
			return y
		}
		return d.relu(y)
	},
	"reshape-before-concatenation": joinedRows,
	"conv-to-fully-connected": func(d *draft) int {
		w := d.slide()
		w.padding, w.dilation = schema.PaddingVALID, [2]int32{1, 1}
		w.kernel = w.in
		if d.IntN(2) == 0 {
			w.kernel, w.stride, w.padding = [2]int32{1, 1}, [2]int32{1, 1}, some(d, schema.PaddingSAME, schema.PaddingVALID)
		}
		w = w.fixed()
		return d.conv(d.input(some(d, f32, i8, i8), d.dim(3), w.in[0], w.in[1], d.dim(20)), w, d.dim(20))
	},
	"fully-connected-to-conv": func(d *draft) int {
		depth := d.dim(40)
		shape := append(d.shape(d.IntN(4)), depth)
		keep := d.IntN(2) == 0
		if !keep && len(shape) > 1 && d.IntN(2) == 0 {
			shape[len(shape)-1], shape[len(shape)-2] = shape[len(shape)-2], depth // rows that are not along a dimension
		}
		return d.connected(d.input(some(d, f32, i8, i8), shape...), depth, d.dim(20), keep, false)
	},
	"fully-connected-rank-4": func(d *draft) int {
		depth, units := d.dim(30), 4*d.dim(5)
		y := d.connected(d.input(some(d, f32, i8, i8), d.dim(4), depth), depth, units, false, false)
		return d.connected(y, units/some[int32](d, 1, 1, 2, 4), d.dim(9), false, false)
	},
	"fully-connected-rank-2": func(d *draft) int {
		depth, units := d.dim(30), 4*d.dim(5)
		y := d.connected(d.input(some(d, f32, i8, i8), append(d.shape(2+d.IntN(2)), depth)...), depth, units, true, false)
		return d.connected(y, units/some[int32](d, 1, 1, 2, 4), d.dim(9), false, false)
	},
	"depthwise-to-conv": func(d *draft) int {
		w := d.slide()
		return d.depthwise(d.input(some(d, f32, i8, i8), d.dim(3), w.in[0], w.in[1], 1), w, d.dim(20))
	},
	"conv-to-depthwise": func(d *draft) int {
		w := d.slide()
		return d.conv(d.input(some(d, f32, i8, i8), d.dim(3), w.in[0], w.in[1], 1), w, d.dim(20))
	},
	"pad-to-same": padThenWindow,
	"mean-to-average-pool": func(d *draft) int {
		x := d.image(f32)
		shape := d.sub.Tensors[x].Shape
		axes := some(d, []int32{1, 2}, []int32{2, 1}, []int32{-3, -2}, []int32{1, -2})
		return d.mean(x, d.like(x, shape[0], 1, 1, shape[3]), axes, true)
	},
	"average-pool-to-mean": func(d *draft) int {
		x := d.image(f32)
		shape := d.sub.Tensors[x].Shape
		w := slide{in: [2]int32(shape[1:3]), kernel: [2]int32(shape[1:3]), stride: [2]int32{d.dim(3), d.dim(3)}, dilation: [2]int32{1, 1}, padding: schema.PaddingVALID}
		if d.IntN(2) == 0 {
			w.padding, w.stride = schema.PaddingSAME, w.in
		}
		return d.pool(schema.BuiltinOperatorAVERAGE_POOL_2D, x, w.fixed(), schema.ActivationFunctionTypeNONE)
	},
	"separate-layers": func(d *draft) int {
		depth, units, parts := d.dim(30), d.dim(9), 2+d.IntN(3)
		x := d.input(some(d, f32, i8, i8), append(d.shape(d.IntN(4)), depth)...)
		y := d.connected(x, depth, units*int32(parts), d.IntN(3) > 0, false)
		shape := slices.Clone(d.sub.Tensors[y].Shape)
		axis := int32(len(shape) - 1)
		if shape[axis] = units; d.IntN(2) == 0 {
			axis = -1
		}
		var list []int
		for range parts {
			list = append(list, d.like(y, shape...))
		}
		d.operator(schema.BuiltinOperatorSPLIT, schema.BuiltinOptionsSplitOptions, optionTable(schema.SplitOptionsStart, schema.SplitOptionsEnd,
			set(schema.SplitOptionsAddNumSplits, int32(parts))), list[0], d.integers([]int32{axis}), y)
		d.sub.Operators[len(d.sub.Operators)-1].Outputs = list
		sum := list[0]
		for _, part := range list[1:] {
			sum = d.operator(schema.BuiltinOperatorADD, schema.BuiltinOptionsAddOptions, optionTable(schema.AddOptionsStart, schema.AddOptionsEnd), d.like(y, shape...), sum, part)
		}
		return sum
	},
	"per-channel-to-per-tensor": func(d *draft) int {
		depth := d.dim(40)
		return d.connected(d.input(i8, d.dim(4), depth), depth, 1+d.dim(20), d.IntN(2) == 0, true)
	},
}

// joinedRows joins rows of a variable, new ones, and sometimes constant ones, stores some of the last, and reshapes them all.
func joinedRows(d *draft) int {
	row := d.shape(d.IntN(3))
	before := []int32{1, 1, 1}[:d.IntN(4-len(row))] // STRIDED_SLICE takes four dimensions
	of := func(rows int32) []int32 { return append(append(slices.Clone(before), rows), row...) }
	n := elements(row)
	x := d.input(some(d, f32, i8, i8), 1, d.dim(4)*int32(n))
	added := d.sub.Tensors[x].Shape[1] / int32(n)
	had := d.dim(4)
	handle, value := d.variable(x, of(had)...)
	parts := []int{value, d.reshape(x, of(added)...)}
	rows := had + added
	if d.IntN(3) == 0 {
		more := d.dim(3)
		in := d.sub.Tensors[x]
		parts, rows = append(parts, d.constant(in.Type, in.Quantization, d.numbers(in.Type, of(more)...), of(more)...)), rows+more
	}
	joined := d.like(x, of(rows)...)
	axis := int32(len(before))
	if d.IntN(2) == 0 {
		axis -= int32(len(before) + 1 + len(row))
	}
	d.operator(schema.BuiltinOperatorCONCATENATION, schema.BuiltinOptionsConcatenationOptions,
		optionTable(schema.ConcatenationOptionsStart, schema.ConcatenationOptionsEnd, set(schema.ConcatenationOptionsAddAxis, axis)), joined, parts...)
	begin, end, step := of(rows-had), of(rows), of(1)
	for i := range begin {
		step[i] = 1
		if i != len(before) {
			begin[i] = 0
		}
	}
	kept := d.operator(schema.BuiltinOperatorSTRIDED_SLICE, schema.BuiltinOptionsStridedSliceOptions,
		optionTable(schema.StridedSliceOptionsStart, schema.StridedSliceOptionsEnd), d.like(x, of(had)...), joined, d.integers(begin), d.integers(end), d.integers(step))
	d.sub.Operators = append(d.sub.Operators, encode.Operator{Builtin: schema.BuiltinOperatorASSIGN_VARIABLE, Inputs: []int{handle, kept}})
	flat := []int32{rows * int32(n)}
	if d.IntN(3) == 0 {
		flat = []int32{rows, int32(n)}
	}
	return d.relu(d.reshape(joined, append(slices.Clone([]int32{1, 1, 1}[:d.IntN(5-len(flat))]), flat...)...))
}

// mean adds a MEAN.
func (d *draft) mean(x, y int, axes []int32, keep bool) int {
	return d.operator(schema.BuiltinOperatorMEAN, schema.BuiltinOptionsReducerOptions, optionTable(schema.ReducerOptionsStart, schema.ReducerOptionsEnd,
		set(schema.ReducerOptionsAddKeepDims, keep)), y, x, d.integers(axes))
}

// padThenWindow adds a PAD, and an operator with a window that may do without it.
func padThenWindow(d *draft) int {
	w := d.slide()
	w.padding = schema.PaddingSAME
	w = w.fixed()
	x := d.input(some(d, f32, i8, i8, i16), d.dim(2), w.in[0], w.in[1], d.dim(5))
	kind := d.IntN(3)
	if kind == 2 {
		w.dilation = [2]int32{1, 1}
		if q := d.sub.Tensors[x].Quantization; len(q.Zeros) > 0 && d.IntN(2) == 0 && d.sub.Tensors[x].Type == i8 {
			q.Zeros[0] = -128
		}
	}
	// SAME's padding, or now and then another one.
	pads := make([]int32, 8)
	for i := range 2 {
		total := max(0, (w.out[i]-1)*w.stride[i]+(w.kernel[i]-1)*w.dilation[i]+1-w.in[i])
		pads[2+2*i], pads[3+2*i] = total/2, total-total/2
		if d.IntN(6) == 0 {
			pads[3+2*i]++
		}
		if d.IntN(20) == 0 {
			pads[2+2*i]++
		}
		w.in[i] += pads[2+2*i] + pads[3+2*i]
	}
	w.padding = schema.PaddingVALID
	w = w.fixed()
	y := d.pad(x, pads, kind == 2)
	switch kind {
	case 0:
		return d.conv(y, w, d.dim(5))
	case 1:
		return d.depthwise(y, w, d.dim(3))
	}
	return d.pool(schema.BuiltinOperatorMAX_POOL_2D, y, w, d.activation())
}

// pad adds a PAD, or a PADV2 of zeros, or of the lowest number.
func (d *draft) pad(x int, pads []int32, lowest bool) int {
	in := d.sub.Tensors[x]
	shape := slices.Clone(in.Shape)
	for i := range shape {
		shape[i] += pads[2*i] + pads[2*i+1]
	}
	y, paddings := d.like(x, shape...), d.integers(pads, 4, 2)
	if in.Type == i16 || !lowest && d.IntN(2) == 0 {
		return d.operator(schema.BuiltinOperatorPAD, schema.BuiltinOptionsPadOptions, optionTable(schema.PadOptionsStart, schema.PadOptionsEnd), y, x, paddings)
	}
	number, stored := float32(0), int64(0)
	if lowest {
		number, stored = some(d, float32(-math.MaxFloat32), float32(math.Inf(-1))), -128
	} else if in.Type == i8 {
		stored = in.Quantization.Zeros[0]
	}
	data := []byte{byte(int8(stored))}
	if in.Type == f32 {
		data = binary.LittleEndian.AppendUint32(nil, math.Float32bits(number))
	}
	value := d.constant(in.Type, in.Quantization, data, 1)
	return d.operator(schema.BuiltinOperatorPADV2, schema.BuiltinOptionsPadV2Options, optionTable(schema.PadV2OptionsStart, schema.PadV2OptionsEnd), y, x, paddings, value)
}

// number is a type that operators that move bytes and RELU take.
func (d *draft) number() schema.TensorType { return some(d, f32, i8, i16) }

// image adds an input of four dimensions.
func (d *draft) image(t schema.TensorType) int { return d.input(t, d.shape(4)...) }

// shape returns random dimensions.
func (d *draft) shape(rank int) (list []int32) {
	for range rank {
		list = append(list, d.dim(6))
	}
	return list
}

// same adds a tensor like another, shape included.
func (d *draft) same(t int) int { return d.like(t, d.sub.Tensors[t].Shape...) }

// transpose adds a TRANSPOSE.
func (d *draft) transpose(x int, by ...int32) int {
	var shape []int32
	for _, from := range by {
		shape = append(shape, d.sub.Tensors[x].Shape[from])
	}
	return d.operator(schema.BuiltinOperatorTRANSPOSE, schema.BuiltinOptionsTransposeOptions, optionTable(schema.TransposeOptionsStart, schema.TransposeOptionsEnd), d.like(x, shape...), x, d.integers(by))
}

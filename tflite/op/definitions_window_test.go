package op_test

import "github.com/tflarena/tflarena/schema"

// padBefore is TensorFlow's rule for SAME, from its documentation.
func padBefore(in, out, kernel, stride, dilation int) int {
	total := (out-1)*stride + (kernel-1)*dilation + 1 - in
	if total < 0 {
		return 0
	}
	return total / 2
}

// conv defines CONV_2D of a 9x10x4 image with a 3x2 filter.
func conv(name string, padding schema.Padding, stride, dilation, group int, out []int32) definition {
	d := definition{sample: sample{
		name: name, code: schema.BuiltinOperatorCONV_2D, tag: schema.BuiltinOptionsConv2DOptions,
		options: []any{padding, stride, stride, nil, dilation, dilation},
		in:      []any{[]int32{2, 9, 10, 4}, []int32{6, 3, 2, int32(group)}, []int32{6}}, outputs: [][]int32{out},
	}}
	d.loose = dilation > 1 // padding may be between the taken elements
	d.takes = func(_ int, o []int, read func(int, ...int)) {
		top, left := 0, 0
		if padding == schema.PaddingSAME {
			top, left = padBefore(9, int(out[1]), 3, stride, dilation), padBefore(10, int(out[2]), 2, stride, dilation)
		}
		first := o[3] / (6 / (4 / group)) * group
		for y := range 3 {
			for x := range 2 {
				for c := range group {
					read(0, o[0], o[1]*stride+y*dilation-top, o[2]*stride+x*dilation-left, first+c)
					read(1, o[3], y, x, c)
				}
			}
		}
		read(2, o[3])
	}
	return d
}

// pool defines a 3x2 pool with strides 2 and 3.
func pool(code schema.BuiltinOperator, padding schema.Padding, out []int32) definition {
	d := definition{sample: sample{
		name: code.String() + padding.String(), code: code, tag: schema.BuiltinOptionsPool2DOptions,
		options: []any{padding, 3, 2, 2, 3}, in: []any{[]int32{2, 9, 10, 3}}, outputs: [][]int32{out},
	}}
	d.takes = func(_ int, o []int, read func(int, ...int)) {
		top, left := 0, 0
		if padding == schema.PaddingSAME {
			top, left = padBefore(9, int(out[1]), 3, 2, 1), padBefore(10, int(out[2]), 2, 3, 1)
		}
		for y := range 3 {
			for x := range 2 {
				read(0, o[0], o[1]*2+y-top, o[2]*3+x-left, o[3])
			}
		}
	}
	return d
}

// transposed defines TRANSPOSE_CONV: element i of the input is spread over the kernel from
// i*stride-before on.
func transposed(name string, padding schema.Padding, stride int, out []int32) definition {
	d := definition{sample: sample{
		name: name, code: schema.BuiltinOperatorTRANSPOSE_CONV, tag: schema.BuiltinOptionsTransposeConvOptions,
		options: []any{padding, stride, stride},
		in:      []any{numbers(out), []int32{5, 3, 2, 4}, []int32{2, 6, 5, 4}, []int32{5}}, outputs: [][]int32{out},
	}}
	d.takes = func(_ int, o []int, read func(int, ...int)) {
		top, left := 0, 0
		if padding == schema.PaddingSAME {
			top, left = padBefore(int(out[1]), 6, 3, stride, 1), padBefore(int(out[2]), 5, 2, stride, 1)
		}
		for y := range 6 {
			for x := range 5 {
				ky, kx := o[1]-y*stride+top, o[2]-x*stride+left
				if ky >= 0 && ky < 3 && kx >= 0 && kx < 2 {
					for c := range 4 {
						read(2, o[0], y, x, c)
						read(1, o[3], ky, kx, c)
					}
				}
			}
		}
		read(3, o[3])
	}
	return d
}

var windowDefinitions = []definition{
	conv("same", schema.PaddingSAME, 1, 1, 4, []int32{2, 9, 10, 6}),
	conv("same, stride", schema.PaddingSAME, 2, 1, 4, []int32{2, 5, 5, 6}),
	conv("same, wide stride", schema.PaddingSAME, 4, 1, 4, []int32{2, 3, 3, 6}),
	conv("same, dilation", schema.PaddingSAME, 1, 3, 4, []int32{2, 9, 10, 6}),
	conv("valid", schema.PaddingVALID, 1, 1, 4, []int32{2, 7, 9, 6}),
	conv("valid, both", schema.PaddingVALID, 2, 2, 4, []int32{2, 3, 4, 6}),
	conv("groups", schema.PaddingSAME, 2, 1, 2, []int32{2, 5, 5, 6}),
	pool(schema.BuiltinOperatorMAX_POOL_2D, schema.PaddingSAME, []int32{2, 5, 4, 3}),
	pool(schema.BuiltinOperatorAVERAGE_POOL_2D, schema.PaddingVALID, []int32{2, 4, 3, 3}),
	pool(schema.BuiltinOperatorL2_POOL_2D, schema.PaddingSAME, []int32{2, 5, 4, 3}),
	transposed("transposed same", schema.PaddingSAME, 2, []int32{2, 12, 10, 5}),
	transposed("transposed same, odd", schema.PaddingSAME, 2, []int32{2, 11, 9, 5}),
	transposed("transposed valid", schema.PaddingVALID, 2, []int32{2, 13, 10, 5}),
	transposed("transposed, wider than the kernel", schema.PaddingVALID, 4, []int32{2, 23, 18, 5}),
	{
		sample: sample{
			name: "depthwise", code: schema.BuiltinOperatorDEPTHWISE_CONV_2D, tag: schema.BuiltinOptionsDepthwiseConv2DOptions,
			options: []any{schema.PaddingVALID, 1, 2, 2}, in: []any{[]int32{1, 9, 10, 3}, []int32{1, 3, 2, 6}, []int32{6}}, outputs: [][]int32{{1, 4, 9, 6}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) {
			for y := range 3 {
				for x := range 2 {
					read(0, o[0], o[1]*2+y, o[2]+x, o[3]/2)
					read(1, 0, y, x, o[3])
				}
			}
			read(2, o[3])
		},
	},
	{
		sample: sample{
			name: "conv3D", code: schema.BuiltinOperatorCONV_3D, tag: schema.BuiltinOptionsConv3DOptions,
			options: []any{schema.PaddingVALID, 1, 2, 1}, in: []any{[]int32{1, 4, 5, 6, 2}, []int32{2, 3, 2, 2, 3}, nil}, outputs: [][]int32{{1, 3, 3, 3, 3}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) {
			for z := range 2 {
				for y := range 3 {
					for x := range 2 {
						for c := range 2 {
							read(0, o[0], o[1]+z, o[2]+y, o[3]*2+x, c)
							read(1, z, y, x, c, o[4])
						}
					}
				}
			}
		},
	},
	{
		sample: sample{
			name: "conv3D transposed", code: schema.BuiltinOperatorCONV_3D_TRANSPOSE, tag: schema.BuiltinOptionsConv3DOptions,
			options: []any{schema.PaddingVALID, 2, 1, 1}, in: []any{numbers{1, 6, 5, 4, 3}, []int32{2, 3, 2, 3, 2}, []int32{1, 3, 3, 3, 2}, nil}, outputs: [][]int32{{1, 6, 5, 4, 3}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) {
			each3(3, 3, 3, func(z, y, x int) {
				kz, ky, kx := o[1]-2*z, o[2]-y, o[3]-x
				if kz >= 0 && kz < 2 && ky >= 0 && ky < 3 && kx >= 0 && kx < 2 {
					for c := range 2 {
						read(2, o[0], z, y, x, c)
						read(1, kz, ky, kx, o[4], c)
					}
				}
			})
		},
	},
	{
		sample: sample{
			name: "reduce window", code: schema.BuiltinOperatorREDUCE_WINDOW,
			in: []any{[]int32{7, 8}, []int32{}, numbers{3, 2}, numbers{1, 3}, numbers{2, 1}}, outputs: [][]int32{{3, 3}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) {
			for y := range 3 {
				for x := range 2 {
					read(0, o[0]+2*y, o[1]*3+x)
				}
			}
		},
	},
}

func each3(a, b, c int, f func(i, j, k int)) {
	for i := range a {
		for j := range b {
			for k := range c {
				f(i, j, k)
			}
		}
	}
}

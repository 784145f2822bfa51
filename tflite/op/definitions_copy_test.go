package op_test

import "github.com/tflarena/tflarena/schema"

var copyDefinitions = []definition{
	{
		sample: sample{name: "reshape", code: schema.BuiltinOperatorRESHAPE, in: []any{[]int32{2, 3, 4, 5}, numbers{2, 3, -1}}, outputs: [][]int32{{2, 3, 20}}},
		takes:  func(_ int, o []int, read func(int, ...int)) { read(0, o[0], o[1], o[2]/5, o[2]%5) },
	},
	{
		sample: sample{name: "reshape otherwise", code: schema.BuiltinOperatorRESHAPE, in: []any{[]int32{2, 6}, numbers{3, 4}}, outputs: [][]int32{{3, 4}}},
		takes: func(_ int, o []int, read func(int, ...int)) {
			at := o[0]*4 + o[1]
			read(0, at/6, at%6)
		},
	},
	{
		sample: sample{name: "reshape, heads", code: schema.BuiltinOperatorRESHAPE, in: []any{[]int32{1, 5, 6}, numbers{5, 1, 2, 3}}, outputs: [][]int32{{5, 1, 2, 3}}},
		takes:  func(_ int, o []int, read func(int, ...int)) { read(0, 0, o[0], 3*o[2]+o[3]) },
	},
	{
		sample: sample{name: "reshape, batches of heads", code: schema.BuiltinOperatorRESHAPE, in: []any{[]int32{6, 4, 5}, numbers{2, 3, 4, 5}}, outputs: [][]int32{{2, 3, 4, 5}}},
		takes:  func(_ int, o []int, read func(int, ...int)) { read(0, 3*o[0]+o[1], o[2], o[3]) },
	},
	{
		sample: sample{
			name: "squeeze", code: schema.BuiltinOperatorSQUEEZE, tag: schema.BuiltinOptionsSqueezeOptions, options: []any{[]int32{1, -1}},
			in: []any{[]int32{3, 1, 4, 1}}, outputs: [][]int32{{3, 4}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) { read(0, o[0], 0, o[1], 0) },
	},
	{
		sample: sample{name: "expand", code: schema.BuiltinOperatorEXPAND_DIMS, in: []any{[]int32{3, 4}, numbers{-2}}, outputs: [][]int32{{3, 1, 4}}},
		takes:  func(_ int, o []int, read func(int, ...int)) { read(0, o[0], o[2]) },
	},
	{
		sample: sample{name: "transpose", code: schema.BuiltinOperatorTRANSPOSE, in: []any{[]int32{3, 4, 5}, numbers{2, 0, 1}}, outputs: [][]int32{{5, 3, 4}}},
		takes:  func(_ int, o []int, read func(int, ...int)) { read(0, o[1], o[2], o[0]) },
	},
	{
		sample: sample{
			name: "stablehlo transpose", code: schema.BuiltinOperatorSTABLEHLO_TRANSPOSE, tag2: schema.BuiltinOptions2StablehloTransposeOptions,
			options: []any{[]int64{1, 2, 0}}, in: []any{[]int32{3, 4, 5}}, outputs: [][]int32{{4, 5, 3}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) { read(0, o[2], o[0], o[1]) },
	},
	{
		sample: sample{name: "slice", code: schema.BuiltinOperatorSLICE, in: []any{[]int32{5, 6}, numbers{2, 1}, numbers{-1, 3}}, outputs: [][]int32{{3, 3}}},
		takes:  func(_ int, o []int, read func(int, ...int)) { read(0, o[0]+2, o[1]+1) },
	},
	{
		sample: sample{
			name: "stablehlo slice", code: schema.BuiltinOperatorSTABLEHLO_SLICE, tag2: schema.BuiltinOptions2StablehloSliceOptions,
			options: []any{[]int64{1, 0}, []int64{5, 6}, []int64{3, 1}}, in: []any{[]int32{5, 6}}, outputs: [][]int32{{2, 6}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) { read(0, o[0]*3+1, o[1]) },
	},
	strided("strides", []any{}, numbers{1, 5}, numbers{5, 0}, numbers{2, -2}, []int32{2, 3, 4}, func(o []int) []int { return []int{o[0]*2 + 1, 5 - 2*o[1], o[2]} }),
	strided("masks", []any{1, 2}, numbers{3, -2}, numbers{4, -3}, numbers{1, 1}, []int32{4, 2, 4}, func(o []int) []int { return []int{o[0], o[1] + 4, o[2]} }),
	strided("one row", []any{0, 0, 0, 0, 2}, numbers{0, -2}, numbers{5, 0}, numbers{1, 1}, []int32{5, 4}, func(o []int) []int { return []int{o[0], 4, o[1]} }),
	strided("ellipsis", []any{0, 0, 2}, numbers{1, 0, 1}, numbers{3, 0, 3}, numbers{1, 1, 1}, []int32{2, 6, 2}, func(o []int) []int { return []int{o[0] + 1, o[1], o[2] + 1} }),
	strided("ellipsis and new axes", []any{0, 0, 2, 5}, numbers{0, 0, 0, 1}, numbers{0, 0, 0, 3}, numbers{1, 1, 1, 1}, []int32{1, 5, 6, 1, 2}, func(o []int) []int { return []int{o[1], o[2], o[4] + 1} }),
	strided("offset", []any{nil, nil, nil, nil, nil, true}, numbers{1, 2}, numbers{2, 3}, numbers{1, 1}, []int32{2, 3, 4}, func(o []int) []int { return []int{o[0] + 1, o[1] + 2, o[2]} }),
	{
		sample: sample{name: "split", code: schema.BuiltinOperatorSPLIT, in: []any{numbers{1}, []int32{3, 6}}, outputs: [][]int32{{3, 2}, {3, 2}, {3, 2}}},
		takes:  func(output int, o []int, read func(int, ...int)) { read(1, o[0], 2*output+o[1]) },
	},
	{
		sample: sample{name: "split of sizes", code: schema.BuiltinOperatorSPLIT_V, in: []any{[]int32{6, 3}, numbers{1, -1, 2}, numbers{0}}, outputs: [][]int32{{1, 3}, {3, 3}, {2, 3}}},
		takes:  func(output int, o []int, read func(int, ...int)) { read(0, []int{0, 1, 4}[output]+o[0], o[1]) },
	},
	{
		sample: sample{
			name: "unpack", code: schema.BuiltinOperatorUNPACK, tag: schema.BuiltinOptionsUnpackOptions, options: []any{2, 1},
			in: []any{[]int32{3, 2, 4}}, outputs: [][]int32{{3, 4}, {3, 4}},
		},
		takes: func(output int, o []int, read func(int, ...int)) { read(0, o[0], output, o[1]) },
	},
	{
		sample: sample{
			name: "pack", code: schema.BuiltinOperatorPACK, tag: schema.BuiltinOptionsPackOptions, options: []any{2, -1},
			in: []any{[]int32{3, 4}, []int32{3, 4}}, outputs: [][]int32{{3, 4, 2}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) { read(o[2], o[0], o[1]) },
	},
	{
		sample: sample{
			name: "concatenation", code: schema.BuiltinOperatorCONCATENATION, tag: schema.BuiltinOptionsConcatenationOptions, options: []any{-1},
			in: []any{[]int32{3, 2}, []int32{3, 1}, []int32{3, 4}}, outputs: [][]int32{{3, 7}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) {
			for i, from := range []int{0, 2, 3} {
				read(i, o[0], o[1]-from)
			}
		},
	},
	{
		sample: sample{
			name: "stablehlo concatenate", code: schema.BuiltinOperatorSTABLEHLO_CONCATENATE, tag2: schema.BuiltinOptions2StablehloConcatenateOptions, options: []any{int64(0)},
			in: []any{[]int32{3, 2}, []int32{1, 2}}, outputs: [][]int32{{4, 2}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) {
			read(0, o[0], o[1])
			read(1, o[0]-3, o[1])
		},
	},
	{
		sample: sample{name: "tile", code: schema.BuiltinOperatorTILE, in: []any{[]int32{3, 4}, numbers{2, 1}}, outputs: [][]int32{{6, 4}}},
		takes:  func(_ int, o []int, read func(int, ...int)) { read(0, o[0]%3, o[1]) },
	},
	{
		sample: sample{name: "broadcast", code: schema.BuiltinOperatorBROADCAST_TO, in: []any{[]int32{3, 1}, numbers{2, 3, 4}}, outputs: [][]int32{{2, 3, 4}}},
		takes:  func(_ int, o []int, read func(int, ...int)) { read(0, o[1], 0) },
	},
	{
		sample: sample{name: "reverse", code: schema.BuiltinOperatorREVERSE_V2, in: []any{[]int32{3, 4}, numbers{1}}, outputs: [][]int32{{3, 4}}},
		takes:  func(_ int, o []int, read func(int, ...int)) { read(0, o[0], 3-o[1]) },
	},
	{
		sample: sample{name: "dilate", code: schema.BuiltinOperatorDILATE, in: []any{[]int32{3, 4}, numbers{3, 1}, []int32{}}, outputs: [][]int32{{7, 4}}},
		takes: func(_ int, o []int, read func(int, ...int)) {
			if o[0]%3 == 0 {
				read(0, o[0]/3, o[1])
			}
		},
		loose: true,
	},
}

// strided is STRIDED_SLICE of 5x6x4 elements.
func strided(name string, masks []any, begin, end, step numbers, out []int32, from func(o []int) []int) definition {
	return definition{
		sample: sample{
			name: name, code: schema.BuiltinOperatorSTRIDED_SLICE, tag: schema.BuiltinOptionsStridedSliceOptions, options: masks,
			in: []any{[]int32{5, 6, 4}, begin, end, step}, outputs: [][]int32{out},
		},
		takes: func(_ int, o []int, read func(int, ...int)) { read(0, from(o)...) },
	}
}

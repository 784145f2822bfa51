package op_test

import "github.com/tflarena/tflarena/schema"

var otherDefinitions = []definition{
	{
		sample: sample{name: "add", code: schema.BuiltinOperatorADD, in: []any{[]int32{2, 1, 4}, []int32{3, 1}}, outputs: [][]int32{{2, 3, 4}}},
		takes: func(_ int, o []int, read func(int, ...int)) {
			read(0, o[0], 0, o[2])
			read(1, o[1], 0)
		},
	},
	{
		sample: sample{name: "select of rows", code: schema.BuiltinOperatorSELECT, in: []any{[]int32{3}, []int32{3, 4}, []int32{3, 4}}, outputs: [][]int32{{3, 4}}},
		takes: func(_ int, o []int, read func(int, ...int)) {
			read(0, o[0])
			read(1, o[0], o[1])
			read(2, o[0], o[1])
		},
	},
	{
		sample: sample{
			name: "mean", code: schema.BuiltinOperatorMEAN, tag: schema.BuiltinOptionsReducerOptions, options: []any{false},
			in: []any{[]int32{3, 4, 5}, numbers{-2}}, outputs: [][]int32{{3, 5}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) {
			for y := range 4 {
				read(0, o[0], y, o[1])
			}
		},
	},
	{
		sample: sample{
			name: "sum that keeps dimensions", code: schema.BuiltinOperatorSUM, tag: schema.BuiltinOptionsReducerOptions, options: []any{true},
			in: []any{[]int32{3, 4, 5}, numbers{0, 1}}, outputs: [][]int32{{1, 1, 5}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) {
			each3(3, 4, 1, func(i, j, _ int) { read(0, i, j, o[2]) })
		},
	},
	{
		sample: sample{name: "arg max", code: schema.BuiltinOperatorARG_MAX, in: []any{[]int32{3, 4, 5}, numbers{1}}, outputs: [][]int32{{3, 5}}},
		takes: func(_ int, o []int, read func(int, ...int)) {
			for y := range 4 {
				read(0, o[0], y, o[1])
			}
		},
	},
	{
		sample: sample{name: "softmax", code: schema.BuiltinOperatorSOFTMAX, in: []any{[]int32{3, 4}}, outputs: [][]int32{{3, 4}}},
		takes: func(_ int, o []int, read func(int, ...int)) {
			for x := range 4 {
				read(0, o[0], x)
			}
		},
	},
	{
		sample: sample{name: "cumsum", code: schema.BuiltinOperatorCUMSUM, in: []any{[]int32{3, 4}, numbers{0}}, outputs: [][]int32{{3, 4}}},
		takes: func(_ int, o []int, read func(int, ...int)) {
			for y := range 3 {
				read(0, y, o[1])
			}
		},
	},
	{
		sample: sample{name: "top k", code: schema.BuiltinOperatorTOPK_V2, in: []any{[]int32{3, 4}, numbers{2}}, outputs: [][]int32{{3, 2}, {3, 2}}},
		takes: func(_ int, o []int, read func(int, ...int)) {
			for x := range 4 {
				read(0, o[0], x)
			}
		},
	},
	{
		sample: sample{
			name: "fully connected", code: schema.BuiltinOperatorFULLY_CONNECTED, tag: schema.BuiltinOptionsFullyConnectedOptions,
			in: []any{[]int32{3, 4}, []int32{5, 4}, []int32{5}}, outputs: [][]int32{{3, 5}},
		},
		takes: connected,
	},
	{
		sample: sample{
			name: "fully connected, flattened", code: schema.BuiltinOperatorFULLY_CONNECTED, tag: schema.BuiltinOptionsFullyConnectedOptions,
			in: []any{[]int32{3, 2, 2}, []int32{5, 4}}, outputs: [][]int32{{3, 5}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) {
			each3(2, 2, 1, func(i, j, _ int) {
				read(0, o[0], i, j)
				read(1, o[1], 2*i+j)
			})
		},
	},
	{
		sample: sample{
			name: "fully connected, rows of four dimensions", code: schema.BuiltinOperatorFULLY_CONNECTED, tag: schema.BuiltinOptionsFullyConnectedOptions,
			in: []any{[]int32{1, 1, 3, 4}, []int32{5, 4}}, outputs: [][]int32{{3, 5}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) {
			for i := range 4 {
				read(0, 0, 0, o[0], i)
				read(1, o[1], i)
			}
		},
	},
	{
		sample: sample{
			name: "fully connected, rows", code: schema.BuiltinOperatorFULLY_CONNECTED, tag: schema.BuiltinOptionsFullyConnectedOptions, options: []any{nil, nil, true},
			in: []any{[]int32{2, 3, 4}, []int32{5, 4}}, outputs: [][]int32{{2, 3, 5}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) {
			for i := range 4 {
				read(0, o[0], o[1], i)
				read(1, o[2], i)
			}
		},
	},
	{
		sample: sample{
			name: "matmul", code: schema.BuiltinOperatorBATCH_MATMUL, tag: schema.BuiltinOptionsBatchMatMulOptions, options: []any{true, true},
			in: []any{[]int32{2, 1, 4, 3}, []int32{6, 5, 4}}, outputs: [][]int32{{2, 6, 3, 5}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) {
			for i := range 4 {
				read(0, o[0], 0, i, o[2])
				read(1, o[1], o[3], i)
			}
		},
	},
	{
		sample: sample{name: "embedding", code: schema.BuiltinOperatorEMBEDDING_LOOKUP, in: []any{[]int32{3}, []int32{7, 4}}, outputs: [][]int32{{3, 4}}},
		takes: func(_ int, o []int, read func(int, ...int)) {
			read(0, o[0])
			for i := range 7 {
				read(1, i, o[1])
			}
		},
	},
	{
		sample: sample{
			name: "gather", code: schema.BuiltinOperatorGATHER, tag: schema.BuiltinOptionsGatherOptions, options: []any{2, 1},
			in: []any{[]int32{2, 3, 5, 4}, []int32{2, 6, 7}}, outputs: [][]int32{{2, 3, 6, 7, 4}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) {
			read(1, o[0], o[2], o[3])
			for i := range 5 {
				read(0, o[0], o[1], i, o[4])
			}
		},
	},
	{
		sample: sample{name: "gather slices", code: schema.BuiltinOperatorGATHER_ND, in: []any{[]int32{3, 4, 5}, []int32{6, 2}}, outputs: [][]int32{{6, 5}}},
		takes: func(_ int, o []int, read func(int, ...int)) {
			read(1, o[0], 0)
			read(1, o[0], 1)
			each3(3, 4, 5, func(i, j, k int) { read(0, i, j, k) })
		},
	},
	{
		sample: sample{
			name: "one hot", code: schema.BuiltinOperatorONE_HOT, tag: schema.BuiltinOptionsOneHotOptions, options: []any{1},
			in: []any{[]int32{3, 4}, numbers{5}, []int32{}, []int32{}}, outputs: [][]int32{{3, 5, 4}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) { read(0, o[0], o[2]) },
	},
	{
		sample: sample{
			name: "reverse sequence", code: schema.BuiltinOperatorREVERSE_SEQUENCE, tag: schema.BuiltinOptionsReverseSequenceOptions, options: []any{1, 0},
			in: []any{[]int32{3, 4, 2}, []int32{3}}, outputs: [][]int32{{3, 4, 2}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) {
			read(1, o[0])
			for y := range 4 {
				read(0, o[0], y, o[2])
			}
		},
	},
}

func connected(_ int, o []int, read func(int, ...int)) {
	for i := range 4 {
		read(0, o[0], i)
		read(1, o[1], i)
	}
	read(2, o[1])
}

package op_test

import (
	"math"

	"github.com/tflarena/tflarena/schema"
)

// nearest defines RESIZE_NEAREST_NEIGHBOR of 6x5 images, as kernels compute it.
func nearest(name string, corners, half bool, height, width int32) definition {
	d := definition{sample: sample{
		name: name, code: schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR, tag: schema.BuiltinOptionsResizeNearestNeighborOptions,
		options: []any{corners, half}, in: []any{[]int32{1, 6, 5, 2}, numbers{height, width}}, outputs: [][]int32{{1, height, width, 2}},
	}, loose: true}
	place := func(o, in, out int) int {
		scale, offset := float32(in)/float32(out), float32(0)
		if corners && out > 1 {
			scale = float32(in-1) / float32(out-1)
		}
		if half {
			offset = 0.5
		}
		at := (float32(o) + offset) * scale
		if corners {
			return min(int(math.Round(float64(at))), in-1)
		}
		return min(int(at), in-1)
	}
	d.takes = func(_ int, o []int, read func(int, ...int)) {
		read(0, o[0], place(o[1], 6, int(height)), place(o[2], 5, int(width)), o[3])
	}
	return d
}

// bilinear defines RESIZE_BILINEAR of 6x5 images.
func bilinear(name string, corners, half bool, height, width int32) definition {
	d := nearest(name, corners, half, height, width)
	d.code, d.tag, d.options = schema.BuiltinOperatorRESIZE_BILINEAR, schema.BuiltinOptionsResizeBilinearOptions, []any{nil, nil, corners, half}
	places := func(o, in, out int) (int, int) {
		scale := float64(in) / float64(out)
		if corners && out > 1 {
			scale = float64(in-1) / float64(out-1)
		}
		at := float64(o) * scale
		if half {
			at = (float64(o)+0.5)*scale - 0.5
		}
		return max(int(math.Floor(at)), 0), min(int(math.Ceil(at)), in-1)
	}
	d.takes = func(_ int, o []int, read func(int, ...int)) {
		top, bottom := places(o[1], 6, int(height))
		left, right := places(o[2], 5, int(width))
		read(0, o[0], top, left, o[3])
		read(0, o[0], bottom, right, o[3])
	}
	return d
}

var pictureDefinitions = []definition{
	nearest("nearest twice", false, false, 12, 10),
	nearest("nearest thrice, half", false, true, 18, 15),
	nearest("nearest, any size", false, false, 7, 13),
	nearest("nearest, smaller", false, true, 4, 2),
	nearest("nearest, corners", true, false, 11, 3),
	bilinear("bilinear twice", false, false, 12, 10),
	bilinear("bilinear, half", false, true, 24, 20),
	bilinear("bilinear, corners", true, false, 11, 9),
	bilinear("bilinear, any size", false, false, 17, 3),
	bilinear("bilinear, any size, half", false, true, 5, 23),
	bilinear("bilinear, any corners", true, false, 4, 31),
	bilinear("bilinear, one row", true, false, 1, 1),
	{
		sample: sample{
			name: "space to depth", code: schema.BuiltinOperatorSPACE_TO_DEPTH, tag: schema.BuiltinOptionsSpaceToDepthOptions,
			options: []any{3}, in: []any{[]int32{2, 6, 9, 2}}, outputs: [][]int32{{2, 2, 3, 18}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) {
			read(0, o[0], o[1]*3+o[3]/6, o[2]*3+o[3]/2%3, o[3]%2)
		},
		loose: true, // for some channels
	},
	{
		sample: sample{
			name: "depth to space", code: schema.BuiltinOperatorDEPTH_TO_SPACE, tag: schema.BuiltinOptionsDepthToSpaceOptions,
			options: []any{2}, in: []any{[]int32{2, 3, 4, 12}}, outputs: [][]int32{{2, 6, 8, 3}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) {
			read(0, o[0], o[1]/2, o[2]/2, (o[1]%2*2+o[2]%2)*3+o[3])
		},
	},
	{
		sample: sample{
			name: "space to batch", code: schema.BuiltinOperatorSPACE_TO_BATCH_ND,
			in: []any{[]int32{2, 5, 7, 3}, numbers{2, 3}, numbers{1, 2, 0, 2}}, outputs: [][]int32{{12, 4, 3, 3}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) {
			block := o[0] / 2
			read(0, o[0]%2, o[1]*2+block/3-1, o[2]*3+block%3, o[3])
		},
		loose: true, // for some of the batch
	},
	{
		sample: sample{
			name: "batch to space", code: schema.BuiltinOperatorBATCH_TO_SPACE_ND,
			in: []any{[]int32{12, 4, 3, 3}, numbers{2, 3}, numbers{1, 2, 0, 2}}, outputs: [][]int32{{2, 5, 7, 3}},
		},
		takes: func(_ int, o []int, read func(int, ...int)) {
			y, x := o[1]+1, o[2]
			read(0, (y%2*3+x%3)*2+o[0], y/2, x/3, o[3])
		},
	},
	{
		sample: sample{name: "pad", code: schema.BuiltinOperatorPAD, in: []any{[]int32{3, 4}, numbers{1, 2, 0, 3}}, outputs: [][]int32{{6, 7}}},
		takes:  func(_ int, o []int, read func(int, ...int)) { read(0, o[0]-1, o[1]) },
	},
	{
		sample: sample{name: "mirror pad", code: schema.BuiltinOperatorMIRROR_PAD, in: []any{[]int32{3, 4}, numbers{2, 1, 0, 0}}, outputs: [][]int32{{6, 4}}},
		takes: func(_ int, o []int, read func(int, ...int)) {
			y := o[0] - 2
			if y < 0 {
				y = -y
			} else if y > 2 {
				y = 4 - y
			}
			read(0, y, o[1])
		},
	},
}

package oneop

import (
	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Operators that move, join and slice data.

// moved draws the type and the quantisation of moved data.
func (d *drawn) moved() (schema.TensorType, encode.Quantization) {
	t := some(d, f32, i8, i8, i16, i32, i64, boolean, u8)
	return t, d.usual(t)
}

// kept is the quantisation of an output that should, in most cases, equal the input's.
func (d *drawn) kept(t schema.TensorType, q encode.Quantization) encode.Quantization {
	if d.chance(25) {
		return d.usual(t)
	}
	return q
}

func resize(d *drawn) {
	t := some(d, f32, i8, i8, i16, u8)
	h, w, c, b := d.dim(), d.dim(), 1+d.Int32N(5), 1+d.Int32N(2)
	th, tw := d.dim()+d.Int32N(4), d.dim()+d.Int32N(4)
	corners, centers := d.chance(3), d.chance(3)
	if d.op.Builtin == schema.BuiltinOperatorRESIZE_BILINEAR {
		d.options(schema.BuiltinOptionsResizeBilinearOptions, schema.ResizeBilinearOptionsStart, schema.ResizeBilinearOptionsEnd,
			set(schema.ResizeBilinearOptionsAddAlignCorners, corners), set(schema.ResizeBilinearOptionsAddHalfPixelCenters, centers))
	} else {
		d.options(schema.BuiltinOptionsResizeNearestNeighborOptions, schema.ResizeNearestNeighborOptionsStart, schema.ResizeNearestNeighborOptionsEnd,
			set(schema.ResizeNearestNeighborOptionsAddAlignCorners, corners), set(schema.ResizeNearestNeighborOptionsAddHalfPixelCenters, centers))
	}
	q := d.usual(t)
	d.in(t, []int32{b, h, w, c}, q, nil)
	d.numbers(th, tw)
	d.out(t, []int32{b, th, tw, c}, d.kept(t, q))
}

// blocks draws SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND.
func blocks(d *drawn) {
	t, q := d.moved()
	if !d.chance(3) {
		t = some(d, f32, i8)
		q = d.usual(t)
	}
	n := some(d, 1, 2, 2, 2)
	b := 1 + d.Int32N(2)
	space, batch := []int32{b}, []int32{b}
	var sizes, pads []int32
	for range n {
		k, small := 1+d.Int32N(3), d.dim()
		p := []int32{0, 0}
		if d.chance(2) {
			p[0] = d.Int32N(min(k*small, 3))
			p[1] = d.Int32N(min(k*small-p[0], 3))
		}
		sizes, pads = append(sizes, k), append(pads, p...)
		space, batch = append(space, k*small-p[0]-p[1]), append(batch, small)
		batch[0] *= k
	}
	if n == 2 || d.chance(2) {
		c := 1 + d.Int32N(4)
		space, batch = append(space, c), append(batch, c)
	}
	from, to := space, batch
	if d.op.Builtin == schema.BuiltinOperatorBATCH_TO_SPACE_ND {
		from, to = to, from
	}
	d.in(t, from, q, nil)
	d.numbers(sizes...)
	d.numbers(pads...).Shape = []int32{int32(n), 2}
	d.out(t, to, d.kept(t, q))
}

// depths draws SPACE_TO_DEPTH and DEPTH_TO_SPACE.
func depths(d *drawn) {
	t, q := d.moved()
	if !d.chance(3) {
		t = some(d, f32, i8)
		q = d.usual(t)
	}
	k := 1 + d.Int32N(3)
	b, h, w, c := 1+d.Int32N(2), d.dim(), d.dim(), 1+d.Int32N(4)
	large, small := []int32{b, h * k, w * k, c}, []int32{b, h, w, c * k * k}
	if d.op.Builtin == schema.BuiltinOperatorDEPTH_TO_SPACE {
		large, small = small, large
		d.options(schema.BuiltinOptionsDepthToSpaceOptions, schema.DepthToSpaceOptionsStart, schema.DepthToSpaceOptionsEnd, set(schema.DepthToSpaceOptionsAddBlockSize, k))
	} else {
		d.options(schema.BuiltinOptionsSpaceToDepthOptions, schema.SpaceToDepthOptionsStart, schema.SpaceToDepthOptionsEnd, set(schema.SpaceToDepthOptionsAddBlockSize, k))
	}
	d.in(t, large, q, nil)
	d.out(t, small, d.kept(t, q))
}

func broadcastArgs(d *drawn) {
	shapes := d.broadcasts(2)
	t := some(d, i32, i32, i64)
	for _, s := range shapes[:2] {
		d.in(t, []int32{int32(len(s))}, none, list(s...))
	}
	d.out(t, []int32{int32(len(shapes[2]))}, none)
	d.indexes = true
}

func broadcastTo(d *drawn) {
	t, q := d.moved()
	to := d.shape(d.rank(0))
	from := slices.Clone(to[d.IntN(len(to)+1):])
	d.op.Version = 2 // the first
	for i := range from {
		if d.chance(2) {
			from[i] = 1
		}
	}
	d.in(t, from, q, nil)
	d.numbers(to...)
	d.out(t, to, d.kept(t, q))
}

func concatenation(d *drawn) {
	t, q := d.moved()
	shape := d.shape(d.rank(1))
	at := d.IntN(len(shape))
	to := slices.Clone(shape)
	to[at] = 0
	act := schema.ActivationFunctionTypeNONE
	if d.chance(15) {
		act = d.activation()
	}
	d.options(schema.BuiltinOptionsConcatenationOptions, schema.ConcatenationOptionsStart, schema.ConcatenationOptionsEnd,
		set(schema.ConcatenationOptionsAddAxis, d.axis(at, len(shape))), set(schema.ConcatenationOptionsAddFusedActivationFunction, act))
	most := 5
	if d.chance(10) {
		most = 12
	}
	for range 1 + d.IntN(most) {
		s := slices.Clone(shape)
		s[at] = 1 + d.Int32N(4)
		to[at] += s[at]
		d.in(t, s, d.kept(t, q), nil)
	}
	d.out(t, to, q)
}

func dynamicUpdateSlice(d *drawn) {
	t, q := d.moved()
	shape := d.shape(d.rank(1))
	part, at := slices.Clone(shape), make([]int32, len(shape))
	for i, n := range shape {
		part[i] = 1 + d.Int32N(n)
		at[i] = d.Int32N(n + 2)
		if d.chance(8) {
			at[i] = -1 - d.Int32N(3)
		}
	}
	d.in(t, shape, q, nil)
	d.in(t, part, q, nil)
	d.numbers(at...)
	d.out(t, shape, d.kept(t, q))
}

func embeddingLookup(d *drawn) {
	d.indexes = true
	t := some(d, f32, f32, i8, i8, i16, u8)
	shape := d.shape(2 + d.IntN(3))
	n := d.dim()
	q := d.usual(t)
	if len(q.Zeros) > 0 && !d.chance(4) {
		q.Zeros[0] = 0
	}
	d.in(i32, []int32{n}, none, below(shape[0]))
	d.param(t, shape, q, nil)
	to, p := t, q
	if t == i8 && d.chance(2) {
		to, p = f32, none
	}
	d.out(to, append([]int32{n}, shape[1:]...), p)
}

func expandDims(d *drawn) {
	t, q := d.moved()
	shape := d.shape(min(d.rank(0), 5))
	at := d.IntN(len(shape) + 1)
	d.in(t, shape, q, nil)
	d.number(d.axis(at, len(shape)+1))
	d.out(t, slices.Insert(slices.Clone(shape), at, 1), d.kept(t, q))
}

func fill(d *drawn) {
	t, q := d.moved()
	shape := d.shape(d.rank(0))
	d.numbers(shape...)
	d.in(t, []int32{}, q, nil)
	d.out(t, shape, d.kept(t, q))
}

func gather(d *drawn) {
	d.indexes = true
	t, q := d.moved()
	if !d.chance(3) {
		t = some(d, f32, i8)
		q = d.usual(t)
	}
	shape := d.shape(d.rank(1))
	at := d.IntN(len(shape))
	batch := 0
	if d.chance(3) {
		batch = d.IntN(at + 1)
	}
	index := append(slices.Clone(shape[:batch]), d.shape(d.IntN(3))...)
	d.options(schema.BuiltinOptionsGatherOptions, schema.GatherOptionsStart, schema.GatherOptionsEnd,
		set(schema.GatherOptionsAddAxis, d.axis(at, len(shape))), set(schema.GatherOptionsAddBatchDims, int32(batch)))
	d.in(t, shape, q, nil)
	kind := i32
	if d.chance(12) {
		kind = some(d, i64, i16)
	}
	d.in(kind, index, none, below(shape[at]))
	to := append(slices.Clone(shape[:at]), index[batch:]...)
	d.out(t, append(to, shape[at+1:]...), d.kept(t, q))
}

func gatherND(d *drawn) {
	d.indexes = true
	t, q := d.moved()
	if !d.chance(3) {
		t = some(d, f32, i8)
		q = d.usual(t)
	}
	shape := d.shape(max(1, min(d.rank(1), 5)))
	depth := 1 + d.IntN(len(shape))
	index := append(d.shape(d.IntN(3)), int32(depth))
	d.in(t, shape, q, nil)
	kind := i32
	if d.chance(12) {
		kind = some(d, i64, i16)
	}
	d.in(kind, index, none, func(d *drawn, i int) float64 { return float64(d.Int32N(shape[i%depth])) })
	d.out(t, append(slices.Clone(index[:len(index)-1]), shape[depth:]...), d.kept(t, q))
}

// pad draws PAD, PADV2 and MIRROR_PAD.
func pad(d *drawn) {
	t, q := d.moved()
	shape := d.shape(d.rank(0))
	mirror := d.op.Builtin == schema.BuiltinOperatorMIRROR_PAD
	mode := some(d, schema.MirrorPadModeREFLECT, schema.MirrorPadModeSYMMETRIC)
	to := slices.Clone(shape)
	var by []int32
	for i, n := range shape {
		most := int32(4)
		if mirror {
			most = n + 1
			if mode == schema.MirrorPadModeREFLECT {
				most = n
			}
		}
		a, b := int32(0), int32(0)
		if d.chance(2) {
			a, b = d.Int32N(most), d.Int32N(most)
		}
		by = append(by, a, b)
		to[i] += a + b
	}
	d.in(t, shape, q, nil)
	d.numbers(by...).Shape = []int32{int32(len(shape)), 2}
	switch d.op.Builtin {
	case schema.BuiltinOperatorMIRROR_PAD:
		d.options(schema.BuiltinOptionsMirrorPadOptions, schema.MirrorPadOptionsStart, schema.MirrorPadOptionsEnd, set(schema.MirrorPadOptionsAddMode, mode))
	case schema.BuiltinOperatorPADV2:
		d.param(t, some(d, []int32{}, []int32{1}), d.kept(t, q), nil)
	}
	d.out(t, to, d.kept(t, q))
}

func pack(d *drawn) {
	t, q := d.moved()
	shape := d.shape(min(d.rank(0), 5))
	at, n := d.IntN(len(shape)+1), 1+d.Int32N(4)
	d.options(schema.BuiltinOptionsPackOptions, schema.PackOptionsStart, schema.PackOptionsEnd,
		set(schema.PackOptionsAddValuesCount, n), set(schema.PackOptionsAddAxis, d.axis(at, len(shape)+1)))
	for range n {
		d.in(t, shape, d.kept(t, q), nil)
	}
	if d.chance(25) {
		d.sub.Tensors[len(d.sub.Tensors)-1].Type = some(d, i8, f32, i16, i32)
	}
	d.out(t, slices.Insert(slices.Clone(shape), at, n), q)
}

func unpack(d *drawn) {
	t, q := d.moved()
	shape := d.shape(d.rank(1))
	at := d.IntN(len(shape))
	shape[at] = 1 + d.Int32N(4)
	d.options(schema.BuiltinOptionsUnpackOptions, schema.UnpackOptionsStart, schema.UnpackOptionsEnd,
		set(schema.UnpackOptionsAddNum, shape[at]), set(schema.UnpackOptionsAddAxis, d.axis(at, len(shape))))
	d.in(t, shape, q, nil)
	for range shape[at] {
		d.out(t, slices.Delete(slices.Clone(shape), at, at+1), d.kept(t, q))
	}
}

func reshape(d *drawn) {
	t, q := d.moved()
	from := d.shape(d.rank(0))
	to := slices.Clone(from)
	d.Shuffle(len(to), func(i, j int) { to[i], to[j] = to[j], to[i] })
	if len(to) > 1 && d.chance(2) {
		to = append(to[:len(to)-2], to[len(to)-2]*to[len(to)-1])
	} else if d.chance(2) {
		to = slices.Insert(to, d.IntN(len(to)+1), 1)
	}
	asked := slices.Clone(to)
	if len(asked) > 0 && d.chance(3) {
		asked[d.IntN(len(asked))] = -1
	}
	d.in(t, from, q, nil)
	d.options(schema.BuiltinOptionsReshapeOptions, func(builder) {}, func(b builder) flatbuffers.UOffsetT {
		schema.ReshapeOptionsStartNewShapeVector(b, len(asked))
		for i := len(asked) - 1; i >= 0; i-- {
			b.PrependInt32(asked[i])
		}
		v := b.EndVector(len(asked))
		schema.ReshapeOptionsStart(b)
		schema.ReshapeOptionsAddNewShape(b, v)
		return schema.ReshapeOptionsEnd(b)
	})
	if !d.chance(4) {
		d.numbers(asked...)
	}
	if d.chance(6) {
		to = asked
	}
	d.out(t, to, d.kept(t, q))
}

func squeeze(d *drawn) {
	t, q := d.moved()
	shape := d.shape(d.rank(1))
	var gone []int32
	named := d.chance(2)
	var to []int32
	for i, n := range shape {
		if n == 1 && (!named || d.chance(2)) {
			gone = append(gone, d.axis(i, len(shape)))
			continue
		}
		to = append(to, n)
	}
	if named && len(gone) == 0 { // an empty list means all
		to = slices.DeleteFunc(slices.Clone(shape), func(n int32) bool { return n == 1 })
	}
	d.options(schema.BuiltinOptionsSqueezeOptions, func(builder) {}, func(b builder) flatbuffers.UOffsetT {
		if !named || len(gone) == 0 {
			schema.SqueezeOptionsStart(b)
			return schema.SqueezeOptionsEnd(b)
		}
		schema.SqueezeOptionsStartSqueezeDimsVector(b, len(gone))
		for i := len(gone) - 1; i >= 0; i-- {
			b.PrependInt32(gone[i])
		}
		v := b.EndVector(len(gone))
		schema.SqueezeOptionsStart(b)
		schema.SqueezeOptionsAddSqueezeDims(b, v)
		return schema.SqueezeOptionsEnd(b)
	})
	d.in(t, shape, q, nil)
	d.out(t, to, d.kept(t, q))
}

func reverse(d *drawn) {
	t, q := d.moved()
	shape := d.shape(d.rank(1))
	d.in(t, shape, q, nil)
	axes := []int32{d.axis(d.IntN(len(shape)), len(shape))}
	if d.chance(4) && len(shape) > 1 {
		axes = []int32{0, d.axis(1+d.IntN(len(shape)-1), len(shape))}
	}
	d.numbers(axes...)
	d.out(t, shape, d.kept(t, q))
}

func selectV2(d *drawn) {
	t, q := d.moved()
	shapes := d.broadcasts(3)
	d.in(boolean, shapes[0], none, nil)
	d.in(t, shapes[1], q, nil)
	d.in(t, shapes[2], d.kept(t, q), nil)
	d.out(t, shapes[3], q)
}

func shapeOf(d *drawn) {
	t, q := d.moved()
	s := d.shape(d.rank(0))
	to := i32
	if d.chance(8) {
		to = i64
	}
	d.options(schema.BuiltinOptionsShapeOptions, schema.ShapeOptionsStart, schema.ShapeOptionsEnd, set(schema.ShapeOptionsAddOutType, to))
	d.in(t, s, q, nil)
	d.out(to, []int32{int32(len(s))}, none)
}

func slice(d *drawn) {
	t, q := d.moved()
	shape := d.shape(d.rank(1))
	begin, size, to := make([]int32, len(shape)), make([]int32, len(shape)), make([]int32, len(shape))
	for i, n := range shape {
		begin[i] = d.Int32N(n)
		to[i] = 1 + d.Int32N(n-begin[i])
		if size[i] = to[i]; d.chance(5) {
			to[i], size[i] = n-begin[i], -1
		}
	}
	d.in(t, shape, q, nil)
	kind := i32
	if d.chance(6) {
		kind = i64
	}
	short := int32(len(shape))
	if d.chance(40) && short > 1 { // fewer numbers than dimensions
		short--
	}
	d.param(kind, []int32{short}, none, list(begin...))
	d.param(kind, []int32{short}, none, list(size...))
	d.out(t, to, d.kept(t, q))
}

func stridedSlice(d *drawn) {
	t, q := d.moved()
	shape := d.shape(min(d.rank(1), 5))
	var begin, end, stride, to []int32
	var beginMask, endMask, shrink, ellipsis, newAxis int32
	named := len(shape)
	if d.chance(8) { // trailing dimensions in full
		named = 1 + d.IntN(len(shape))
	}
	for i, n := range shape {
		if i >= named {
			to = append(to, n)
			continue
		}
		from := d.Int32N(n)
		length := 1 + d.Int32N(n-from)
		s := some[int32](d, 1, 1, 1, 2, 3)
		until := from + length
		count := (length + s - 1) / s
		switch d.IntN(8) {
		case 0:
			beginMask |= 1 << i
			count = (until + s - 1) / s
		case 1:
			endMask |= 1 << i
			count = (n - from + s - 1) / s
		case 2:
			shrink |= 1 << i
			count, s, until = 1, 1, from+1
		case 3: // backwards
			s = -s
			until = from - 1 - d.Int32N(from+1)
			count = (from - until - s - 1) / -s
			if until < 0 {
				until = -n - 1
				count = (from + 1 - s - 1) / -s
			}
		case 4:
			if until < n {
				until -= n
			} else {
				until += d.Int32N(3)
			}
			from -= n
		}
		begin, end, stride = append(begin, from), append(end, until), append(stride, s)
		if shrink>>i&1 == 0 {
			to = append(to, count)
		}
	}
	if d.chance(40) {
		ellipsis = 1 << d.IntN(len(shape))
	}
	if d.chance(40) {
		newAxis = 1 << d.IntN(len(shape))
	}
	d.options(schema.BuiltinOptionsStridedSliceOptions, schema.StridedSliceOptionsStart, schema.StridedSliceOptionsEnd,
		set(schema.StridedSliceOptionsAddBeginMask, beginMask), set(schema.StridedSliceOptionsAddEndMask, endMask), set(schema.StridedSliceOptionsAddShrinkAxisMask, shrink),
		set(schema.StridedSliceOptionsAddEllipsisMask, ellipsis), set(schema.StridedSliceOptionsAddNewAxisMask, newAxis),
		set(schema.StridedSliceOptionsAddOffset, d.chance(40)))
	d.in(t, shape, q, nil)
	d.numbers(begin...)
	d.numbers(end...)
	d.numbers(stride...)
	d.out(t, to, d.kept(t, q))
}

func split(d *drawn) {
	t, q := d.moved()
	shape := d.shape(d.rank(1))
	at, n := d.IntN(len(shape)), 1+d.Int32N(4)
	part := slices.Clone(shape)
	shape[at] *= n
	d.options(schema.BuiltinOptionsSplitOptions, schema.SplitOptionsStart, schema.SplitOptionsEnd, set(schema.SplitOptionsAddNumSplits, n))
	d.number(d.axis(at, len(shape)))
	d.in(t, shape, q, nil)
	for range n {
		d.out(t, part, d.kept(t, q))
	}
}

func splitV(d *drawn) {
	t, q := d.moved()
	shape := d.shape(d.rank(1))
	at, n := d.IntN(len(shape)), 1+d.Int32N(4)
	shape[at] = 0
	var parts []int32
	for range n {
		parts = append(parts, 1+d.Int32N(4))
		shape[at] += parts[len(parts)-1]
	}
	d.options(schema.BuiltinOptionsSplitVOptions, schema.SplitVOptionsStart, schema.SplitVOptionsEnd, set(schema.SplitVOptionsAddNumSplits, n))
	d.in(t, shape, q, nil)
	asked := slices.Clone(parts)
	if d.chance(4) {
		asked[d.IntN(len(asked))] = -1
	}
	d.numbers(asked...)
	d.number(d.axis(at, len(shape)))
	for _, p := range parts {
		s := slices.Clone(shape)
		s[at] = p
		d.out(t, s, d.kept(t, q))
	}
}

func transpose(d *drawn) {
	t, q := d.moved()
	shape := d.shape(d.rank(0))
	perm := make([]int32, len(shape))
	for i, p := range d.Perm(len(shape)) {
		perm[i] = int32(p)
	}
	if d.chance(6) {
		slices.Sort(perm)
	}
	to := make([]int32, len(shape))
	for i, p := range perm {
		to[i] = shape[p]
		if d.chance(15) {
			perm[i] -= int32(len(shape))
		}
	}
	d.in(t, shape, q, nil)
	d.numbers(perm...)
	d.out(t, to, d.kept(t, q))
}

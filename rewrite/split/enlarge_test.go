package split_test

import (
	"math"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// more are operators with a geometry of their own.
func (in *interpreter) more(op *tflite.Operator, code schema.BuiltinOperator, inputs []int, out int) {
	switch code {
	case schema.BuiltinOperatorDEPTH_TO_SPACE:
		var o schema.DepthToSpaceOptions
		op.Options(schema.BuiltinOptionsDepthToSpaceOptions, &o)
		in.unfold(in.get(inputs[0]), out, int(o.BlockSize()))
	case schema.BuiltinOperatorSPACE_TO_DEPTH:
		var o schema.SpaceToDepthOptions
		op.Options(schema.BuiltinOptionsSpaceToDepthOptions, &o)
		in.fold(in.get(inputs[0]), out, int(o.BlockSize()))
	case schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR:
		var o schema.ResizeNearestNeighborOptions
		op.Options(schema.BuiltinOptionsResizeNearestNeighborOptions, &o)
		in.nearest(inputs, out, o.HalfPixelCenters())
	case schema.BuiltinOperatorRESIZE_BILINEAR:
		var o schema.ResizeBilinearOptions
		op.Options(schema.BuiltinOptionsResizeBilinearOptions, &o)
		in.bilinear(inputs, out, o.HalfPixelCenters(), o.AlignCorners())
	case schema.BuiltinOperatorTRANSPOSE_CONV:
		var o schema.TransposeConvOptions
		op.Options(schema.BuiltinOptionsTransposeConvOptions, &o)
		in.scatter(inputs, out, o.Padding() == schema.PaddingSAME, int(o.StrideH()), int(o.StrideW()))
	default:
		in.fail("no interpreter for %s", op.Name)
	}
}

func (in *interpreter) unfold(x array, out, b int) {
	r := newArray([]int32{1, x.shape[1] * int32(b), x.shape[2] * int32(b), x.shape[3] / int32(b*b)})
	for y := range int(r.shape[1]) {
		for at := range int(r.shape[2]) {
			for c := range int(r.shape[3]) {
				*r.at(y, at, c) = *x.at(y/b, at/b, (y%b*b+at%b)*int(r.shape[3])+c)
			}
		}
	}
	in.set(out, r)
}

func (in *interpreter) fold(x array, out, b int) {
	in.must(int(x.shape[1])%b == 0 && int(x.shape[2])%b == 0, "%v in blocks of %d", x.shape, b)
	r := newArray([]int32{1, x.shape[1] / int32(b), x.shape[2] / int32(b), x.shape[3] * int32(b*b)})
	for y := range int(x.shape[1]) {
		for at := range int(x.shape[2]) {
			for c := range int(x.shape[3]) {
				*r.at(y/b, at/b, (y%b*b+at%b)*int(x.shape[3])+c) = *x.at(y, at, c)
			}
		}
	}
	in.set(out, r)
}

func (in *interpreter) nearest(inputs []int, out int, half bool) {
	x, size := in.get(inputs[0]), in.get(inputs[1]).data
	r := newArray([]int32{1, int32(size[0]), int32(size[1]), x.shape[3]})
	source := func(o int, in, out int32) int {
		offset := float32(0)
		if half {
			offset = 0.5
		}
		return min(int((float32(o)+offset)*(float32(in)/float32(out))), int(in)-1)
	}
	for y := range int(r.shape[1]) {
		for at := range int(r.shape[2]) {
			for c := range int(r.shape[3]) {
				*r.at(y, at, c) = *x.at(source(y, x.shape[1], r.shape[1]), source(at, x.shape[2], r.shape[2]), c)
			}
		}
	}
	in.set(out, r)
}

// bilinear works with floats, or with 10 bits behind the point.
func (in *interpreter) bilinear(inputs []int, out int, half, corners bool) {
	x, size := in.get(inputs[0]), in.get(inputs[1]).data
	r := newArray([]int32{1, int32(size[0]), int32(size[1]), x.shape[3]})
	for y := range int(r.shape[1]) {
		for at := range int(r.shape[2]) {
			y0, y1, dy := in.between(out, y, x.shape[1], r.shape[1], half, corners)
			x0, x1, dx := in.between(out, at, x.shape[2], r.shape[2], half, corners)
			for c := range int(r.shape[3]) {
				v := *x.at(y0, x0, c)*(1-dy)*(1-dx) + *x.at(y1, x0, c)*dy*(1-dx) + *x.at(y0, x1, c)*(1-dy)*dx + *x.at(y1, x1, c)*dy*dx
				if !in.float(out) {
					v = math.Round(v)
				}
				*r.at(y, at, c) = float64(float32(v))
			}
		}
	}
	in.set(out, r)
}

// between returns the two rows that a row lies between, and how near it is to the second.
func (in *interpreter) between(out, o int, from, to int32, half, corners bool) (a, b int, part float64) {
	if corners && to > 1 {
		from, to = from-1, to-1
	} else {
		corners = false
	}
	last := from - 1
	if corners {
		last++
	}
	var at float64
	if in.float(out) {
		scale, offset := float32(from)/float32(to), float32(0)
		if half {
			offset = 0.5
		}
		at = float64((float32(o)+offset)*scale - offset)
	} else {
		scale := (int64(from)<<10 + int64(to)/2) / int64(to)
		place := int64(o) * scale
		if half {
			place += scale/2 - 512
		}
		at = float64(place) / 1024
	}
	floor := math.Floor(at)
	return int(max(floor, 0)), int(min(floor+1, float64(last))), at - floor
}

func (in *interpreter) scatter(inputs []int, out int, same bool, strideH, strideW int) {
	shape, w, x := in.get(inputs[0]).data, in.get(inputs[1]), in.get(inputs[2])
	r := newArray([]int32{int32(shape[0]), int32(shape[1]), int32(shape[2]), int32(shape[3])})
	before := func(n, k, stride int) int {
		if !same {
			return 0
		}
		return max(0, ((n+stride-1)/stride-1)*stride+k-n) / 2
	}
	top, left := before(int(r.shape[1]), int(w.shape[1]), strideH), before(int(r.shape[2]), int(w.shape[2]), strideW)
	zero := in.zero(in.like(inputs[2]))
	for y := range int(x.shape[1]) {
		for at := range int(x.shape[2]) {
			for ic := range int(x.shape[3]) {
				for ky := range int(w.shape[1]) {
					for kx := range int(w.shape[2]) {
						for oc := range int(w.shape[0]) {
							in.macs++
							oy, ox := y*strideH-top+ky, at*strideW-left+kx
							if oy < 0 || ox < 0 || oy >= int(r.shape[1]) || ox >= int(r.shape[2]) {
								continue
							}
							weight := w.data[((oc*int(w.shape[1])+ky)*int(w.shape[2])+kx)*int(w.shape[3])+ic]
							*r.at(oy, ox, oc) = in.tap(out, *r.at(oy, ox, oc), *x.at(y, at, ic), weight, zero)
						}
					}
				}
			}
		}
	}
	bias := in.get(inputs[3])
	for i, sum := range r.data {
		sum = in.add(out, sum, bias.data[i%len(bias.data)])
		if !in.float(out) {
			sum *= 0.037
		}
		r.data[i] = in.round(out, sum)
	}
	in.set(out, r)
}

// more adds an operator that changes the size of the feature map.
func (n *network) more(in int) int {
	s := n.shape(in)
	h, w, c := s[1], s[2], s[3]
	if h*w > 200 {
		return n.conv(in)
	}
	switch n.pick("size", 0, 4) {
	case 0:
		in = n.concat(in, in, in, in)
		return n.add(depthToSpaceOperator(2), n.alike(in, 1, 2*h, 2*w, c), in)
	case 1:
		if h%2+w%2 > 0 {
			return n.conv(in)
		}
		return n.add(spaceToDepthOperator(2), n.alike(in, 1, h/2, w/2, 4*c), in)
	case 2:
		half := n.pick("half", 0, 1) == 1
		h, w = h*int32(n.pick("factor", 1, 3)), w*int32(n.pick("factor", 1, 3))
		return n.add(nearestOperator(half), n.alike(in, 1, h, w, c), in, n.int32s([]int32{2}, h, w))
	case 3:
		return n.bilinear(in)
	}
	return n.transposeConv(in)
}

func (n *network) bilinear(in int) int {
	s := n.shape(in)
	h, w, c := s[1], s[2], s[3]
	way := n.pick("way", 0, 2)
	f, g := int32(n.pick("factor", 1, 4)), int32(n.pick("factor", 1, 2))
	if way == 2 {
		h, w = (h-1)*f+1, (w-1)*g+1
	} else {
		h, w = h*f, w*g
	}
	return n.add(bilinearOperator(way == 1, way == 2), n.alike(in, 1, h, w, c), in, n.int32s([]int32{2}, h, w))
}

func (n *network) transposeConv(in int) int {
	s := n.shape(in)
	h, w, c := s[1], s[2], int32(n.pick("channels", 1, 2))
	kh, kw := int32(n.pick("kernel", 1, 5)), int32(n.pick("kernel", 1, 3))
	strideH, strideW := int32(n.pick("stride", 1, 3)), int32(n.pick("stride", 1, 2))
	padding := schema.Padding(n.pick("padding", 0, 1))
	if padding == schema.PaddingVALID {
		h, w = (h-1)*strideH+kh, (w-1)*strideW+kw
	} else {
		h, w = h*strideH-int32(n.pick("less", 0, int(strideH)-1)), w*strideW-int32(n.pick("less", 0, int(strideW)-1))
	}
	filter := n.constant(c, kh, kw, s[3])
	return n.add(transposeConvOperator(slide{padding: padding, strideH: strideH, strideW: strideW}), n.tensor(1, h, w, c), n.int32s([]int32{4}, 1, h, w, c), filter, in, n.bias(c))
}

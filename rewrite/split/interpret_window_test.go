package split_test

import (
	"math"

	"github.com/tflarena/tflarena/schema"
)

type sliding struct {
	same                               bool
	strideH, strideW, dilateH, dilateW int32
}

// extent returns the size of an output, and how far the first window is outside.
func (in *interpreter) extent(n int32, k int, stride, dilate int32, same bool) (out int32, before int) {
	ke := (int32(k)-1)*dilate + 1
	if !same {
		in.must(n >= ke, "a window of %d over %d", ke, n)
		return (n-ke)/stride + 1, 0
	}
	out = (n + stride - 1) / stride
	return out, int(max(0, (out-1)*stride+ke-n)) / 2
}

func (in *interpreter) conv(inputs []int, out int, s sliding, depthwise bool, activation schema.ActivationFunctionType) {
	x, w, bias := in.get(inputs[0]), in.get(inputs[1]), array{}
	if inputs[2] >= 0 {
		bias = in.get(inputs[2])
	}
	in.must(in.kind(inputs[0]) == in.kind(out), "convolution of other types")
	kh, kw := int(w.shape[1]), int(w.shape[2])
	h, top := in.extent(x.shape[1], kh, s.strideH, s.dilateH, s.same)
	width, left := in.extent(x.shape[2], kw, s.strideW, s.dilateW, s.same)
	channels := w.shape[0]
	if depthwise {
		channels = w.shape[3]
	}
	r := newArray([]int32{1, h, width, channels})
	zero := in.zero(in.like(inputs[0]))
	for oy := range int(h) {
		for ox := range int(width) {
			for oc := range int(channels) {
				sum := float64(0)
				for ky := range kh {
					for kx := range kw {
						y := oy*int(s.strideH) - top + ky*int(s.dilateH)
						at := ox*int(s.strideW) - left + kx*int(s.dilateW)
						if y < 0 || at < 0 || y >= int(x.shape[1]) || at >= int(x.shape[2]) {
							continue
						}
						if depthwise {
							sum = in.tap(out, sum, *x.at(y, at, oc*int(x.shape[3])/int(channels)), *w.at(ky, kx, oc), zero)
							continue
						}
						for ic := range int(w.shape[3]) {
							group := oc * (int(x.shape[3]) / int(w.shape[3])) / int(channels) * int(w.shape[3])
							weight := w.data[((oc*kh+ky)*kw+kx)*int(w.shape[3])+ic]
							sum = in.tap(out, sum, *x.at(y, at, group+ic), weight, zero)
						}
					}
				}
				if bias.data != nil {
					sum = in.add(out, sum, bias.data[oc])
				}
				if activation == schema.ActivationFunctionTypeRELU {
					sum = max(sum, 0)
				}
				if !in.float(out) {
					sum *= 0.037
				}
				*r.at(oy, ox, oc) = in.round(out, sum)
			}
		}
	}
	perPoint := int64(kh) * int64(kw) * int64(channels)
	if !depthwise {
		perPoint *= int64(w.shape[3])
	}
	in.macs += int64(h) * int64(width) * perPoint
	in.set(out, r)
}

func (in *interpreter) add(out int, a, b float64) float64 {
	if in.float(out) {
		return float64(float32(a) + float32(b))
	}
	return a + b
}

// tap adds a product, in the precision of the type.
func (in *interpreter) tap(out int, sum, x, w, zero float64) float64 {
	if in.float(out) {
		return float64(float32(sum) + float32(x)*float32(w))
	}
	return sum + (x-zero)*w
}

func (in *interpreter) pool(inputs []int, out int, s sliding, kh, kw int, largest bool) {
	x := in.get(inputs[0])
	h, top := in.extent(x.shape[1], kh, s.strideH, 1, s.same)
	w, left := in.extent(x.shape[2], kw, s.strideW, 1, s.same)
	r := newArray([]int32{1, h, w, x.shape[3]})
	for oy := range int(h) {
		for ox := range int(w) {
			for c := range int(x.shape[3]) {
				sum, count, most := 0.0, 0.0, math.Inf(-1)
				for y := max(0, oy*int(s.strideH)-top); y < min(int(x.shape[1]), oy*int(s.strideH)-top+kh); y++ {
					for at := max(0, ox*int(s.strideW)-left); at < min(int(x.shape[2]), ox*int(s.strideW)-left+kw); at++ {
						v := *x.at(y, at, c)
						sum, count, most = sum+v, count+1, max(most, v)
					}
				}
				v := most
				if !largest {
					v = sum / count
				}
				if !in.float(out) {
					v = math.Round(v)
				}
				*r.at(oy, ox, c) = float64(float32(v))
			}
		}
	}
	in.set(out, r)
}

package edit

import (
	"fmt"
	"reflect"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// auditTensors compares the quantisation of the added and restored tensors. Their other fields are
// compared like every tensor's.
func (w *editor) auditTensors(got *tflite.Model) error {
	var sub schema.SubGraph
	schema.GetRootAsModel(got.Data, 0).Subgraphs(&sub, w.e.Subgraph)
	old := len(w.m.Subgraphs[w.e.Subgraph].Tensors) - w.e.Removed
	if n := sub.TensorsLength(); n != old+len(w.e.Tensors) {
		return patch.Sharing("the edited file would have %d tensors in subgraph %d", n, w.e.Subgraph)
	}
	for i := range w.e.Tensors {
		var was, is schema.Tensor
		sub.Tensors(&is, old+i)
		asked := &w.e.Tensors[i]
		if asked.Like < 0 {
			if !sameOwn(asked.Quantisation, is.Quantization(nil)) {
				return w.otherTensor(old + i)
			}
			continue
		}
		w.sub.Tensors(&was, asked.Like)
		if !w.sameQuantisation(asked, was.Quantization(nil), is.Quantization(nil)) {
			return w.otherTensor(old + i)
		}
	}
	for i := range w.e.Reshaped {
		var is schema.Tensor
		sub.Tensors(&is, w.e.Reshaped[i].Tensor)
		if !w.sameReshaped(&w.e.Reshaped[i], is.Quantization(nil)) {
			return w.otherTensor(w.e.Reshaped[i].Tensor)
		}
	}
	return nil
}

// sameOwn reports whether a tensor has the quantisation that was asked for.
func sameOwn(asked *Quantisation, is *schema.QuantizationParameters) bool {
	if asked == nil || is == nil {
		return asked == nil && is == nil
	}
	same := is.ScaleLength() == len(asked.Scales) && is.ZeroPointLength() == len(asked.Zeros) &&
		int(is.QuantizedDimension()) == asked.Dimension && is.DetailsType() == schema.QuantizationDetailsNONE
	for i := 0; same && i < len(asked.Scales); i++ {
		same = is.Scale(i) == asked.Scales[i] && is.ZeroPoint(i) == asked.Zeros[i]
	}
	return same
}

// sameReshaped reports whether a reshaped tensor has the quantisation of the tensors that it is
// like, one after another, or its own if there are none.
func (w *editor) sameReshaped(asked *Reshaped, is *schema.QuantizationParameters) bool {
	like := asked.Like
	if len(like) == 0 {
		like = []int{asked.Tensor}
	}
	var want vectors
	for i, t := range like {
		var was schema.Tensor
		w.sub.Tensors(&was, t)
		q := was.Quantization(nil)
		switch {
		case q == nil || is == nil:
			return q == nil && is == nil
		case q.QuantizedDimension() != is.QuantizedDimension() || q.DetailsType() != is.DetailsType():
			return false
		}
		for k, list := range vectorsOf(q) {
			if i == 0 || len(list) > 1 {
				want[k] = append(want[k], list...)
			}
		}
	}
	return reflect.DeepEqual(want, vectorsOf(is))
}

func (w *editor) otherTensor(t int) error {
	return patch.Sharing("tensor %s of the edited file would not be what was asked for", w.m.TensorID(w.e.Subgraph, t))
}

func (w *editor) sameQuantisation(asked *Tensor, a, b *schema.QuantizationParameters) bool {
	if a == nil || b == nil {
		return (a == nil) == (b == nil)
	}
	s, t := a.Table(), b.Table()
	if int64(s.Pos)+w.Shift() == int64(t.Pos) {
		return asked.Channels == nil || a.ScaleLength() <= 1 || *asked.Channels == Range{0, a.ScaleLength()}
	}
	return asked.Channels != nil && a.QuantizedDimension() == b.QuantizedDimension() && b.DetailsType() == schema.QuantizationDetailsNONE &&
		reflect.DeepEqual(vectorsOf(a).cut(*asked.Channels), vectorsOf(b))
}

// vectors are the scales, zero points, minima and maxima of a quantisation, as text.
type vectors [4][]string

func vectorsOf(q *schema.QuantizationParameters) (v vectors) {
	list := func(n int, at func(int) any) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprint(at(i)))
		}
		return list
	}
	return vectors{
		list(q.ScaleLength(), func(i int) any { return q.Scale(i) }), list(q.ZeroPointLength(), func(i int) any { return q.ZeroPoint(i) }),
		list(q.MinLength(), func(i int) any { return q.Min(i) }), list(q.MaxLength(), func(i int) any { return q.Max(i) }),
	}
}

// cut returns the parameters of a range of channels. A vector with at most one element is that of
// all of them.
func (v vectors) cut(r Range) vectors {
	for k := range v {
		if len(v[k]) > 1 {
			v[k] = v[k][r.From:r.To]
		}
	}
	return v
}

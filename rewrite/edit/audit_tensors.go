package edit

import (
	"fmt"
	"reflect"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// auditTensors compares the quantisation of the added tensors. Their other fields are compared
// like every tensor's.
func (w *editor) auditTensors(got *tflite.Model) error {
	var sub schema.SubGraph
	schema.GetRootAsModel(got.Data, 0).Subgraphs(&sub, w.e.Subgraph)
	old := len(w.m.Subgraphs[w.e.Subgraph].Tensors)
	if n := sub.TensorsLength(); n != old+len(w.e.Tensors) {
		return patch.Sharing("the edited file would have %d tensors in subgraph %d", n, w.e.Subgraph)
	}
	for i := range w.e.Tensors {
		var was, is schema.Tensor
		sub.Tensors(&is, old+i)
		asked := &w.e.Tensors[i]
		if asked.Like < 0 {
			if is.Quantization(nil) != nil {
				return w.otherTensor(old + i)
			}
			continue
		}
		w.sub.Tensors(&was, asked.Like)
		if !w.sameQuantisation(asked, was.Quantization(nil), is.Quantization(nil)) {
			return w.otherTensor(old + i)
		}
	}
	return nil
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
		reflect.DeepEqual(cutNumbers(a, *asked.Channels), cutNumbers(b, Range{0, b.ScaleLength()}))
}

// cutNumbers lists the quantisation parameters of a range of channels.
func cutNumbers(q *schema.QuantizationParameters, r Range) (list []string) {
	some := func(name string, n int, at func(int) any) {
		from, to := r.From, r.To
		if n <= 1 {
			from, to = 0, n
		}
		for i := from; i < to; i++ {
			list = append(list, fmt.Sprint(name, i-from, at(i)))
		}
	}
	some("scale", q.ScaleLength(), func(i int) any { return q.Scale(i) })
	some("zero point", q.ZeroPointLength(), func(i int) any { return q.ZeroPoint(i) })
	some("min", q.MinLength(), func(i int) any { return q.Min(i) })
	some("max", q.MaxLength(), func(i int) any { return q.Max(i) })
	return list
}

package split

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// quantization reads the scales and zero points of the tensors of subgraph 0.
type quantization struct{ sub schema.SubGraph }

func readQuantization(m *tflite.Model) quantization {
	var q quantization
	schema.GetRootAsModel(m.Data, 0).Subgraphs(&q.sub, 0)
	return q
}

// of returns the scales and zero points of a tensor.
func (q quantization) of(tensor int) (scales []float32, zeros []int64) {
	var t schema.Tensor
	var p schema.QuantizationParameters
	if !q.sub.Tensors(&t, tensor) || t.Quantization(&p) == nil {
		return nil, nil
	}
	for i := range p.ScaleLength() {
		scales = append(scales, p.Scale(i))
	}
	for i := range p.ZeroPointLength() {
		zeros = append(zeros, p.ZeroPoint(i))
	}
	return scales, zeros
}

// equal reports whether two tensors have the same scales and zero points.
func (q quantization) equal(a, b int) bool {
	scalesA, zerosA := q.of(a)
	scalesB, zerosB := q.of(b)
	return slices.Equal(scalesA, scalesB) && slices.Equal(zerosA, zerosB)
}

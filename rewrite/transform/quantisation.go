package transform

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// quantisation holds the parameters of a tensor. It has no scales if the tensor has no quantisation.
type quantisation struct {
	scales    []float32
	zeros     []int64
	dimension int
	details   bool
}

// quantisationOf returns the quantisation of a tensor.
func quantisationOf(t *tflite.Tensor) (list quantisation) {
	var q schema.QuantizationParameters
	table := t.Table()
	if table.Quantization(&q) == nil {
		return list
	}
	for i := range q.ScaleLength() {
		list.scales = append(list.scales, q.Scale(i))
	}
	for i := range q.ZeroPointLength() {
		list.zeros = append(list.zeros, q.ZeroPoint(i))
	}
	list.dimension, list.details = int(q.QuantizedDimension()), q.DetailsType() != schema.QuantizationDetailsNONE
	return list
}

// perTensor returns the only scale and zero point, or false.
func (q *quantisation) perTensor() (scale float32, zero int64, ok bool) {
	if len(q.scales) != 1 || len(q.zeros) > 1 || q.details {
		return 0, 0, false
	}
	if len(q.zeros) == 1 {
		zero = q.zeros[0]
	}
	return q.scales[0], zero, true
}

// symmetric reports whether all zero points are 0.
func (q *quantisation) symmetric() bool {
	return !slices.ContainsFunc(q.zeros, func(z int64) bool { return z != 0 })
}

// sameQuantisation reports whether two tensors have the same scales and zero points.
func sameQuantisation(a, b *tflite.Tensor) bool {
	p, q := quantisationOf(a), quantisationOf(b)
	if len(p.scales) == 0 || len(q.scales) == 0 {
		return len(p.scales) == len(q.scales)
	}
	return slices.Equal(p.scales, q.scales) && slices.Equal(p.zeros, q.zeros) && p.details == q.details &&
		(p.dimension == q.dimension || len(p.scales) == 1)
}

// multiplier is a real number as kernels for integers multiply by it: fixed * 2^(shift-31).
type multiplier struct {
	fixed int32
	shift int
}

// multiplierOf is the runtimes' QuantizeMultiplier.
func multiplierOf(real float64) multiplier {
	if real == 0 {
		return multiplier{}
	}
	fraction, shift := math.Frexp(real)
	fixed := int64(math.Round(fraction * (1 << 31)))
	if fixed == 1<<31 {
		fixed, shift = fixed/2, shift+1
	}
	if shift < -31 {
		return multiplier{}
	}
	return multiplier{int32(fixed), shift}
}

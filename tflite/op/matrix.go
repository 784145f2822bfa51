package op

import "github.com/tflarena/tflarena/schema"

// Matrix products: each output value is the inner product of two vectors.

// fullyConnected has weights [units, depth], whatever the rank of its input and output.
var fullyConnected = facts{macs: func(n node) Count {
	return per(Outputs, n.output(0), last(n.input(1)))
}}

// batchMatMul sums over the last dimension of its first input, the one before with adj_x.
var batchMatMul = facts{macs: func(n node) Count {
	x := n.input(0)
	if x == nil || len(x.Shape) < 2 {
		return Count{}
	}
	depth := len(x.Shape) - 1
	var o schema.BatchMatMulOptions
	if n.op.Options(schema.BuiltinOptionsBatchMatMulOptions, &o) && o.AdjX() {
		depth--
	}
	return per(Outputs, n.output(0), size(x.Shape[depth]))
}}

// dotGeneral says in its options which dimensions it sums over.
var dotGeneral = facts{macs: func(n node) Count {
	var o schema.StablehloDotGeneralOptions
	x := n.input(0)
	if x == nil || !n.op.Options2(schema.BuiltinOptions2StablehloDotGeneralOptions, &o) {
		return Count{}
	}
	var summed []int32
	for i := range o.LhsContractingDimensionsLength() {
		d := o.LhsContractingDimensions(i)
		if d < 0 || d >= int64(len(x.Shape)) || i >= len(x.Shape) {
			return Count{}
		}
		summed = append(summed, x.Shape[d])
	}
	return per(Outputs, n.output(0), size(summed...))
}}

// embeddingLookupSparse adds up rows of its last input, each times a weight: one for each
// element of its first.
var embeddingLookupSparse = facts{macs: func(n node) Count {
	rows := n.input(4)
	if rows == nil || len(rows.Shape) < 1 {
		return Count{}
	}
	return per(Lookups, n.input(0), size(rows.Shape[1:]...))
}}

// signalFilterBank sums each weight, and each unweight, times an energy.
var signalFilterBank = facts{macs: func(n node) Count {
	return once(plus(elements(n.input(1)), elements(n.input(2))))
}}

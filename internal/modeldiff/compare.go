// Package modeldiff compares two models: it matches their operators and tensors, and returns their
// differences and other changed parts.
package modeldiff

import "github.com/tflarena/tflarena/tflite"

// A Difference is the changes from model A to model B.
type Difference struct {
	Operators List[Operator]
	Tensors   List[Tensor]
	Plan      Plan
	Metadata  Metadata
	// Other are further parts that differ, such as "signatures".
	Other []string
	// Unlike reports that the models have too little in common for a meaningful comparison.
	Unlike bool
}

// Compare returns the changes from a to b.
func Compare(a, b *tflite.Model) *Difference {
	m := match(a, b)
	return &Difference{
		Operators: m.operatorList(), Tensors: m.tensorList(), Plan: m.plan(), Metadata: m.metadata(),
		Other: m.other(), Unlike: m.unlike(),
	}
}

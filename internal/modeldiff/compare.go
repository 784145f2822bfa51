// Package modeldiff finds what changed from one model to another: which operators and
// tensors both have, how these differ, and what else is not the same.
package modeldiff

import "github.com/tflarena/tflarena/tflite"

// A Difference is what changed from model A to model B.
type Difference struct {
	Operators List[Operator]
	Tensors   List[Tensor]
	Plan      Plan
	Metadata  Metadata
	// Other are further parts that differ, such as "signatures".
	Other []string
	// Unlike says that the models have so little in common that what changed from one
	// to the other means nothing.
	Unlike bool
}

// Compare returns what changed from a to b.
func Compare(a, b *tflite.Model) *Difference {
	m := match(a, b)
	return &Difference{
		Operators: m.operatorList(), Tensors: m.tensorList(), Plan: m.plan(), Metadata: m.metadata(),
		Other: m.other(), Unlike: m.unlike(),
	}
}

package rewrite

import (
	"fmt"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// FillCodes returns the file of m with the codes of control flow operators in the new field,
// too. Without it, a TensorFlow Lite Micro built before 2026-09-08 does not follow IF and
// WHILE: it plans more memory, or crashes. m must come from package tflite's parser; it is not
// modified.
//
// New bytes are prepended, a multiple of 64 so that all alignments are preserved. A file that
// cannot be moved safely is an error ([*RefusedError]).
func FillCodes(m *tflite.Model, o Options) (*Result, error) {
	var fill []int
	for i := range m.OperatorCodes {
		if m.OperatorCodes[i].HidesCalls() {
			fill = append(fill, i)
		}
	}
	if len(fill) == 0 {
		return &Result{Data: m.Data, Method: Unchanged}, nil
	}
	data, changes, err := patch.FillCodes(m, fill, o.Force)
	if err != nil {
		return nil, fmt.Errorf("fill the operator codes: %w", err)
	}
	return result(m, data, Prefix, changes...), nil
}

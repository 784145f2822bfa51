package transform

import (
	"errors"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// These rules change the file and no operator.
var (
	inlineWeights = Rule{
		Name: "inline-weights", Purpose: Repairs, Condition: "constants outside the flatbuffer (Buffer.offset), which TensorFlow Lite Micro does not read",
		Result: "the same constants inside", Reason: "the bytes are the same", Exact: everywhere, file: rewrite.InlineWeights,
	}
	fillOperatorCodes = Rule{
		Name: "fill-operator-codes", Purpose: Repairs, Condition: "IF or WHILE whose code is in the deprecated field alone, which TensorFlow Lite Micro before 2026-09-08 does not follow",
		Result: "the same code in the new field, too", Reason: "both fields mean the same", Exact: everywhere, file: rewrite.FillCodes,
	}
)

// files applies the rules about the file, as far as the rewriter does not refuse them.
func (r *Result) files(o Options) error {
	for _, rule := range table {
		if rule.file == nil {
			continue
		}
		w, err := rule.file(r.Model, o.rewrite())
		if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) || err == nil && w.Method == rewrite.Unchanged {
			continue
		}
		if err != nil {
			return err
		}
		m, err := tflite.Parse(w.Data, r.Model.Name)
		if err != nil {
			return &rewrite.FaultError{Err: err}
		}
		r.Model = m
		if err := r.apply(nil, []Applied{{Rule: rule}}, o); err != nil {
			return err
		}
	}
	return nil
}

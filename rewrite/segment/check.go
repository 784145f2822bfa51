package segment

import (
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// ErrModel is wrapped by all errors about models that cannot be split.
var ErrModel = errors.New("the model cannot be cut into segments")

// LargeError reports a part too large for a file; smaller parts may fit.
type LargeError struct {
	// First and Last are operator indexes, both inclusive.
	First, Last int
	// Bytes is the size of the constants that they read.
	Bytes int64
}

// Error names the operators and the size.
func (e *LargeError) Error() string {
	return fmt.Sprintf("%v: operators %d to %d read %s of weights, which are too many for one file", ErrModel, e.First, e.Last, units.ExactBytes(e.Bytes))
}

// Unwrap returns [ErrModel].
func (e *LargeError) Unwrap() error { return ErrModel }

func refused(text string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrModel, fmt.Sprintf(text, args...))
}

// check returns an error if the first subgraph cannot be split.
func check(m *tflite.Model) error {
	if len(m.Subgraphs) == 0 || len(m.Subgraphs[0].Operators) == 0 {
		return refused("it has no operators")
	}
	s := &m.Subgraphs[0]
	for i := range s.Operators {
		if err := checkOperator(m, s, &s.Operators[i]); err != nil {
			return err
		}
	}
	for _, t := range s.Outputs {
		if s.Tensors[t].Producer < 0 {
			return refused("no operator makes its output %s", m.TensorID(0, t))
		}
	}
	return nil
}

func checkOperator(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator) error {
	at := fmt.Sprintf("operator %d (%s)", o.Index, o.Name)
	if len(o.Subgraphs) > 0 {
		return refused("%s runs another subgraph", at)
	}
	if o.Damaged {
		return refused("the options of %s cannot be read", at)
	}
	if m.OperatorCodes[o.Code].Custom == "" && op.HasEffects(m, o) {
		return refused("%s does more than its tensors show", at)
	}
	for _, list := range [][]int{o.Inputs, o.Intermediates} {
		for _, i := range list {
			if i >= 0 && s.Tensors[i].Variable {
				return refused("%s keeps a state from run to run in tensor %s", at, m.TensorID(0, i))
			}
			if i >= 0 && blockwise(&s.Tensors[i]) {
				return refused("%s reads tensor %s, whose scales are in another tensor", at, m.TensorID(0, i))
			}
		}
	}
	for _, i := range o.Inputs {
		if i >= 0 && !hasInitialContent(&s.Tensors[i]) && !madeBefore(&s.Tensors[i], o.Index) {
			return refused("%s reads tensor %s before it is made", at, m.TensorID(0, i))
		}
	}
	for _, i := range o.Outputs {
		if i >= 0 && (hasInitialContent(&s.Tensors[i]) || s.Tensors[i].Producer != o.Index) {
			return refused("%s makes tensor %s, which is there already", at, m.TensorID(0, i))
		}
	}
	return nil
}

// madeBefore reports whether a tensor is written before the given operator or has no elements.
func madeBefore(t *tflite.Tensor, operator int) bool {
	n, known := t.Elements()
	return t.Producer >= 0 && t.Producer < operator || t.Producer < 0 && known && n == 0
}

// hasInitialContent reports whether a tensor has content before the first operator.
func hasInitialContent(t *tflite.Tensor) bool { return t.Constant || t.Input }

// blockwise reports whether a tensor's quantisation refers to other tensors by index.
func blockwise(t *tflite.Tensor) bool {
	table := t.Table()
	q := table.Quantization(nil)
	return q != nil && q.DetailsType() == schema.QuantizationDetailsBlockwiseQuantization
}

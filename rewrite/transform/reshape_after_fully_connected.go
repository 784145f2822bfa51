package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
)

// reshapeAfterFullyConnected removes a RESHAPE to rows after FULLY_CONNECTED, which can write rows itself.
var reshapeAfterFullyConnected = Rule{
	Name: "reshape-after-fully-connected", Purpose: Work, Operators: []schema.BuiltinOperator{schema.BuiltinOperatorRESHAPE},
	Condition: "its output has rank 2, the rows of the FULLY_CONNECTED before it, whose output nothing else reads",
	Result:    "removed; FULLY_CONNECTED without keep_num_dims writes its output",
	Reason:    "FULLY_CONNECTED without keep_num_dims has an output of rank 2 with the same bytes", Exact: everywhere,
	match: func(s *site) *change {
		before, out := s.connectedBefore(), s.out()
		if before == nil || !static(out) || out.Variable || out.Constant {
			return nil
		}
		f, ok := before.fullyConnected()
		if !ok || f.in.Variable || out.Type != f.out.Type || !sameQuantisation(out, f.out) || !slices.Equal(out.Shape, []int32{f.rows, f.units}) {
			return nil
		}
		c := s.change()
		c.gone = append(c.gone, before.op.Index)
		c.operators = append(c.operators, edit.Operator{
			Kind: edit.Piece, Of: before.op.Index, Inputs: before.op.Inputs, Outputs: []int{out.Index}, Options: f.asRows(),
		})
		return c
	},
}

// connectedBefore returns the FULLY_CONNECTED whose output only the site reads, or nil.
func (s *site) connectedBefore() *site {
	t := s.in(0)
	if t == nil || !s.hidden(t) || len(t.Consumers) != 1 || slices.Contains(s.op.Inputs[1:], t.Index) {
		return nil
	}
	before := s.of(t.Producer)
	if before.op.Index >= s.op.Index || before.op.Damaged || before.code != schema.BuiltinOperatorFULLY_CONNECTED {
		return nil
	}
	return before
}

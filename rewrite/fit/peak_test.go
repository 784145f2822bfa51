package fit

import (
	"testing"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/rewrite"
)

// TestReadOfKept: an operator that stays as it is, such as the DEQUANTIZE of weights that
// a DENSIFY makes, lists no inputs of its own; it reads all of its input.
func TestReadOfKept(t *testing.T) {
	s := &scene{}
	if got, want := s.read(&rewrite.EditOperator{Kind: rewrite.EditKeep}, 0, 3, 64), (lifetime.Read{Position: 3, Hi: 64}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

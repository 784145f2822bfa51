package op

import (
	"fmt"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/schema"
)

// Two operators have effects on the same state, one of them a write, exactly if the pairwise
// comparison finds it.
func TestEffectsByPairs(t *testing.T) {
	var pairs [2]int
	for seed := range uint64(300) {
		m := modelfile.Parse(t, network.Stateful(seed))
		list := Effects(m)
		for s := range m.Subgraphs {
			for j := range m.Subgraphs[s].Operators {
				for i := range j {
					got := slices.ContainsFunc(list[s][i], func(a Effect) bool {
						return slices.ContainsFunc(list[s][j], func(b Effect) bool {
							return a.State == AnyState || b.State == AnyState || a.State == b.State && (a.Writes || b.Writes)
						})
					})
					want := network.Conflict(m, s, i, j)
					if got != want {
						t.Fatalf("seed %d: operators %d and %d of subgraph %d: %v and %v", seed, i, j, s, list[s][i], list[s][j])
					}
					if pairs[0]++; want {
						pairs[1]++
					}
				}
			}
		}
	}
	if pairs[1] < 1000 || pairs[0] < 2*pairs[1] {
		t.Errorf("%d of %d pairs conflict: too few to tell", pairs[1], pairs[0])
	}
}

// Runs of subgraphs with variable tensors of their own keep their order, and two without any
// may be reordered.
func TestEffectsOfVariableTensors(t *testing.T) {
	for _, variable := range []bool{false, true} {
		inner := encode.Subgraph{
			Tensors:   []encode.Tensor{{Shape: []int32{1}, Variable: variable}, {Shape: []int32{1}}},
			Operators: []encode.Operator{{Builtin: schema.BuiltinOperatorADD, Inputs: []int{0, 0}, Outputs: []int{1}}},
		}
		calls := encode.Subgraph{Operators: []encode.Operator{network.CallOnce(1), network.CallOnce(2)}}
		outer := encode.Subgraph{Operators: []encode.Operator{network.CallOnce(2)}}
		m := modelfile.Build(t, encode.Model{Subgraphs: []encode.Subgraph{calls, outer, inner}})
		var want []Effect
		if variable {
			want = []Effect{{0, true}}
		}
		for s, list := range Effects(m)[:2] {
			for i, got := range list {
				if !slices.Equal(got, want) {
					t.Errorf("variable %v: operator %d:%d has %v, want %v", variable, s, i, got, want)
				}
			}
		}
	}
}

// If calls touch more states than are listed, the rest have unknown effects.
func TestEffectsAreBounded(t *testing.T) {
	const variables, calls = 600, 600
	var inner, outer encode.Subgraph
	for v := range variables {
		o := network.VarHandle("", fmt.Sprint("v", v))
		o.Outputs = []int{v}
		inner.Tensors = append(inner.Tensors, encode.Tensor{Type: schema.TensorTypeRESOURCE, Shape: []int32{1}})
		inner.Operators = append(inner.Operators, o, encode.Operator{Builtin: schema.BuiltinOperatorASSIGN_VARIABLE, Inputs: []int{v, -1}})
	}
	for range calls {
		outer.Operators = append(outer.Operators, network.CallOnce(1))
	}
	m := modelfile.Build(t, encode.Model{Subgraphs: []encode.Subgraph{outer, inner}})
	listed, unlisted := 0, 0
	for _, list := range Effects(m)[0] {
		if listed += len(list); slices.Equal(list, anyEffect) {
			unlisted++
		}
	}
	if listed > maxEffects+calls || listed < maxEffects-2*variables || unlisted == 0 {
		t.Errorf("%d effects are listed, and %d calls may touch anything", listed, unlisted)
	}
}

package lifetime

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// planned returns n tensors of 16 bytes named after their subgraph, without those
// listed in skip.
func planned(subgraph, n int, skip ...int) []Tensor {
	tensors := make([]Tensor, n)
	for i := range tensors {
		tensors[i] = Tensor{ID: fmt.Sprintf("%d:%d", subgraph, i), Size: 16, Planned: true}
	}
	for _, i := range skip {
		tensors[i].Planned = false
	}
	return tensors
}

func op(index int, in, out []int, calls ...int) Operator {
	return Operator{Index: index, Inputs: in, Outputs: out, Calls: calls}
}

// add01 is a subgraph with inputs 0 and 1 and one operator 0,1 -> 2.
func add01(subgraph int) Subgraph {
	return Subgraph{
		Tensors: planned(subgraph, 3), Inputs: []int{0, 1}, Outputs: []int{2},
		Operators: []Operator{op(0, []int{0, 1}, []int{2})},
	}
}

type spans map[string][2]int

func spansOf(records []Record) spans {
	s := spans{}
	for _, r := range records {
		s[r.ID] = [2]int{r.First, r.Last}
	}
	return s
}

// TestScopesVectors has the runtime's own unit tests of its lifetime marking, and runs of it on
// hand-made graphs.
func TestScopesVectors(t *testing.T) {
	tests := []struct {
		name  string
		graph []Subgraph
		want  spans
	}{
		{"constant input", []Subgraph{{
			Tensors: planned(0, 4, 1), Inputs: []int{0}, Outputs: []int{2, 3},
			Operators: []Operator{op(0, []int{0, 1}, []int{2}), op(1, []int{0, 1}, []int{3})},
		}}, spans{"0:0": {0, 2}, "0:2": {1, 2}, "0:3": {2, 2}}},

		{"unused graph input and dead output", []Subgraph{{
			Tensors: planned(0, 6), Inputs: []int{0, 5}, Outputs: []int{1, 4},
			Operators: []Operator{op(0, []int{0}, []int{1, 2}), op(1, []int{1}, []int{3}), op(2, []int{3}, []int{4})},
		}}, spans{"0:0": {0, 1}, "0:1": {1, 3}, "0:2": {1, 1}, "0:3": {2, 3}, "0:4": {3, 3}, "0:5": {0, 0}}},

		{"if", []Subgraph{{
			Tensors: planned(0, 4), Inputs: []int{0, 1, 2}, Outputs: []int{3},
			Operators: []Operator{op(0, []int{0, 1, 2}, []int{3}, 1, 2)},
		}, add01(1), add01(2)}, spans{
			"0:0": {0, 5}, "0:1": {0, 5}, "0:2": {0, 5}, "0:3": {1, 5},
			"1:0": {2, 3}, "1:1": {2, 3}, "1:2": {3, 3},
			"2:0": {4, 5}, "2:1": {4, 5}, "2:2": {5, 5},
		}},

		{"if with an empty else", []Subgraph{{
			Tensors: planned(0, 4), Inputs: []int{0, 1, 2}, Outputs: []int{3},
			Operators: []Operator{op(0, []int{0, 1, 2}, []int{3}, 1, 2)},
		}, add01(1), {Tensors: planned(2, 3), Inputs: []int{0, 1}, Outputs: []int{2}}}, spans{
			"0:0": {0, 4}, "0:1": {0, 4}, "0:2": {0, 4}, "0:3": {1, 4},
			"1:0": {2, 3}, "1:1": {2, 3}, "1:2": {3, 3},
			"2:0": {4, 4}, "2:1": {4, 4}, "2:2": {4, 4},
		}},

		{"if then operator", []Subgraph{{
			Tensors: planned(0, 5), Inputs: []int{0, 1, 2}, Outputs: []int{4},
			Operators: []Operator{op(0, []int{0, 1, 2}, []int{3}, 1, 2), op(1, []int{3, 2}, []int{4})},
		}, add01(1), add01(2)}, spans{
			"0:0": {0, 5}, "0:1": {0, 5}, "0:2": {0, 6}, "0:3": {1, 6}, "0:4": {6, 6},
			"1:0": {2, 3}, "1:1": {2, 3}, "1:2": {3, 3},
			"2:0": {4, 5}, "2:1": {4, 5}, "2:2": {5, 5},
		}},

		{"chain in then", []Subgraph{
			{
				Tensors: planned(0, 4), Inputs: []int{0, 1}, Outputs: []int{3},
				Operators: []Operator{op(0, []int{0, 1}, []int{2}, 1, 2), op(1, []int{2}, []int{3})},
			},
			{
				Tensors: planned(1, 3), Inputs: []int{0}, Outputs: []int{2},
				Operators: []Operator{op(0, []int{0}, []int{1}), op(1, []int{1}, []int{2})},
			},
			{
				Tensors: planned(2, 2), Inputs: []int{0}, Outputs: []int{1},
				Operators: []Operator{op(0, []int{0}, []int{1})},
			},
		}, spans{
			"0:0": {0, 6}, "0:1": {0, 6}, "0:2": {1, 7}, "0:3": {7, 7},
			"1:0": {2, 3}, "1:1": {3, 4}, "1:2": {4, 4}, "2:0": {5, 6}, "2:1": {6, 6},
		}},

		{"while", []Subgraph{
			{
				Tensors: planned(0, 4), Inputs: []int{0}, Outputs: []int{3},
				Operators: []Operator{op(0, []int{0}, []int{1}), op(1, []int{1}, []int{2}, 1, 2), op(2, []int{2}, []int{3})},
			},
			{
				Tensors: planned(1, 2), Inputs: []int{0}, Outputs: []int{1},
				Operators: []Operator{op(0, []int{0}, []int{1})},
			},
			{
				Tensors: planned(2, 3), Inputs: []int{0}, Outputs: []int{2},
				Operators: []Operator{op(0, []int{0}, []int{1}), op(1, []int{1}, []int{2})},
			},
		}, spans{
			"0:0": {0, 1}, "0:1": {1, 7}, "0:2": {2, 8}, "0:3": {8, 8},
			"1:0": {3, 4}, "1:1": {4, 4}, "2:0": {5, 6}, "2:1": {6, 7}, "2:2": {7, 7},
		}},

		{"call once and a resource", []Subgraph{
			{
				Tensors: planned(0, 4, 1), Inputs: []int{0}, Outputs: []int{3},
				Operators: []Operator{
					op(0, nil, nil, 1), op(1, nil, []int{1}), op(2, []int{1}, []int{2}), op(3, []int{0, 2}, []int{3}),
				},
			},
			{
				Tensors:   planned(1, 2, 0, 1),
				Operators: []Operator{op(0, nil, []int{0}), op(1, []int{0, 1}, nil)},
			},
		}, spans{"0:0": {0, 7}, "0:2": {6, 7}, "0:3": {7, 7}}},

		{"never made, never used, never called", []Subgraph{
			{
				Tensors: planned(0, 4), Inputs: []int{0}, Outputs: []int{2},
				Operators: []Operator{op(0, []int{0, 1, -1}, []int{2})},
			},
			add01(1),
		}, spans{
			"0:0": {0, 1}, "0:1": {-1, 1}, "0:2": {1, 1}, "0:3": {-1, -1},
			"1:0": {-1, -1}, "1:1": {-1, -1}, "1:2": {-1, -1},
		}},

		{"called twice", []Subgraph{{
			Tensors: planned(0, 4), Inputs: []int{0, 1}, Outputs: []int{3},
			Operators: []Operator{op(0, []int{0, 1}, []int{2}, 1), op(1, []int{0, 2}, []int{3}, 1)},
		}, add01(1)}, spans{
			"0:0": {0, 6}, "0:1": {0, 3}, "0:2": {1, 6}, "0:3": {4, 6},
			"1:0": {2, 6}, "1:1": {2, 6}, "1:2": {3, 6},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := &Graph{Subgraphs: tt.graph}
			u, err := g.Scopes()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, spansOf(u.Records)); diff != "" {
				t.Errorf("intervals differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestScopesSteps(t *testing.T) {
	g := &Graph{Subgraphs: []Subgraph{{
		Tensors: planned(0, 4), Inputs: []int{0, 1, 2}, Outputs: []int{3},
		Operators: []Operator{op(0, []int{0, 1, 2}, []int{3}, 1, 2)},
	}, add01(1), add01(2)}}
	u, err := g.Scopes()
	if err != nil {
		t.Fatal(err)
	}
	want := []Step{{0, -1}, {0, 0}, {1, -1}, {1, 0}, {2, -1}, {2, 0}}
	if diff := cmp.Diff(want, u.Steps); diff != "" {
		t.Errorf("steps differ (-want +got):\n%s", diff)
	}
}

func TestScopesRefusesEndlessCalls(t *testing.T) {
	circle := &Graph{Subgraphs: []Subgraph{
		{Operators: []Operator{op(0, nil, nil, 1)}},
		{Operators: []Operator{op(0, nil, nil, 0)}},
	}}
	var doubling Graph
	for i := range 40 {
		var ops []Operator
		if i < 39 {
			ops = []Operator{op(0, nil, nil, i+1), op(1, nil, nil, i+1)}
		}
		doubling.Subgraphs = append(doubling.Subgraphs, Subgraph{Operators: ops})
	}
	for name, g := range map[string]*Graph{"circle": circle, "doubling": &doubling} {
		if _, err := g.Scopes(); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: got error %v, want ErrTooLarge", name, err)
		}
	}
}

func TestPositions(t *testing.T) {
	// 0 -> 1 -> 2; 1 -> 3 (never read); 2 -> 4 (output); 5 is never made.
	g := &Graph{Subgraphs: []Subgraph{{
		Tensors: planned(0, 6), Inputs: []int{0}, Outputs: []int{4},
		Operators: []Operator{
			op(0, []int{0}, []int{1}), op(1, []int{1}, []int{2}), op(2, []int{1, 5}, []int{3}),
			op(3, []int{2}, []int{4}), op(4, []int{4}, nil),
		},
	}}}
	tests := []struct {
		name string
		keep Keep
		want spans
	}{
		{"plain", Keep{}, spans{"0:0": {0, 0}, "0:1": {0, 2}, "0:2": {1, 3}, "0:3": {2, 2}, "0:4": {3, 4}}},
		{"inputs", Keep{Inputs: true}, spans{"0:0": {0, 4}, "0:1": {0, 2}, "0:2": {1, 3}, "0:3": {2, 2}, "0:4": {3, 4}}},
		{"all", Keep{true, true, true}, spans{"0:0": {0, 4}, "0:1": {0, 2}, "0:2": {1, 3}, "0:3": {2, 4}, "0:4": {3, 4}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, spansOf(g.Positions(0, tt.keep).Records)); diff != "" {
				t.Errorf("intervals differ (-want +got):\n%s", diff)
			}
		})
	}
}

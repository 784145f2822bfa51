package cache_test

import (
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/cache"
	"github.com/tflarena/tflarena/lifetime"
)

// TestWalk is about two operators with weights, of which the second has scratch: 0 -> 1 -> 2.
func TestWalk(t *testing.T) {
	g := &lifetime.Graph{Subgraphs: []lifetime.Subgraph{{
		Tensors: []lifetime.Tensor{{Size: 10, Planned: true}, {Size: 20, Planned: true}, {Size: 30, Planned: true}, {}},
		Inputs:  []int{0}, Outputs: []int{2},
		Operators: []lifetime.Operator{{Index: 0, Inputs: []int{0, 3, -1}, Outputs: []int{1}}, {Index: 1, Inputs: []int{1, 3}, Outputs: []int{2}}},
	}}}
	constant := func(at lifetime.Place) (offset, size int64) {
		if at.Tensor != 3 {
			t.Errorf("tensor %d is no constant", at.Tensor)
		}
		return 64, 7
	}
	weights := cache.Access{Record: -1, Offset: 64, Size: 7}
	want := []cache.Access{
		{Record: 0, Size: 10},
		weights,
		{Record: 1, Size: 20, Write: true},
		{Record: 1, Size: 20},
		weights,
		{Record: 3, Size: 5, Write: true},
		{Record: 3, Size: 5},
		{Record: 2, Size: 30, Write: true},
	}
	scopes, err := g.Scopes()
	if err != nil {
		t.Fatal(err)
	}
	for position, usage := range map[int]*lifetime.Usage{2: scopes, 1: g.Positions(0, lifetime.Keep{})} {
		records := append(slices.Clone(usage.Records), lifetime.Record{First: position, Last: position, Size: 5})
		if got := cache.Walk(records, g, usage, constant); !slices.Equal(got, want) {
			t.Errorf("second operator at %d:\n%v, want\n%v", position, got, want)
		}
	}
}

func TestWalkOfRecordsAlone(t *testing.T) {
	records := []lifetime.Record{{First: 1, Last: 2, Size: 1}, {First: 0, Last: 1, Size: 2}, {First: 1, Last: 1, Size: 3}, {First: 0, Last: 2}}
	want := []cache.Access{
		{Record: 1, Size: 2, Write: true},
		{Record: 1, Size: 2},
		{Record: 2, Size: 3, Write: true},
		{Record: 2, Size: 3},
		{Record: 0, Size: 1, Write: true},
		{Record: 0, Size: 1},
	}
	if got := cache.Walk(records, nil, nil, nil); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

package lifetime_test

import (
	"fmt"

	"github.com/tflarena/tflarena/lifetime"
)

// A model of three operators: the first makes b from a, the second c from b, and the third d
// from b and c.
func ExampleGraph_Positions() {
	tensor := func(name string, bytes int64) lifetime.Tensor {
		return lifetime.Tensor{ID: name, Name: name, Size: bytes, Align: 16, Planned: true}
	}
	g := &lifetime.Graph{Subgraphs: []lifetime.Subgraph{{
		Tensors: []lifetime.Tensor{tensor("a", 96), tensor("b", 64), tensor("c", 32), tensor("d", 16)},
		Inputs:  []int{0},
		Outputs: []int{3},
		Operators: []lifetime.Operator{
			{Index: 0, Inputs: []int{0}, Outputs: []int{1}},
			{Index: 1, Inputs: []int{1}, Outputs: []int{2}},
			{Index: 2, Inputs: []int{1, 2}, Outputs: []int{3}},
		},
	}}}
	usage := g.Positions(0, lifetime.Keep{Outputs: true})
	for _, r := range usage.Records {
		fmt.Printf("%s: %d bytes, alive from operator %d to operator %d\n", r.Name, r.Size, r.First, r.Last)
	}
	peak := lifetime.Peak(usage.Records)
	fmt.Printf("no arena has fewer than %d bytes: operator %d needs them\n", peak.Breadth, peak.First)
	fmt.Printf("without sharing it takes %d bytes\n", lifetime.Naive(usage.Records))
	// Output:
	// a: 96 bytes, alive from operator 0 to operator 0
	// b: 64 bytes, alive from operator 0 to operator 2
	// c: 32 bytes, alive from operator 1 to operator 2
	// d: 16 bytes, alive from operator 2 to operator 2
	// no arena has fewer than 160 bytes: operator 0 needs them
	// without sharing it takes 208 bytes
}

package alloc_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
)

// Four tensors, with the positions at which each is alive, both inclusive.
var records = []lifetime.Record{
	{Name: "a", First: 0, Last: 1, Size: 96},
	{Name: "b", First: 1, Last: 2, Size: 64},
	{Name: "c", First: 2, Last: 3, Size: 32},
	{Name: "d", First: 3, Last: 4, Size: 96},
}

func ExampleSolve() {
	plan, err := alloc.Solve(context.Background(), records, alloc.Options{Approach: alloc.Offsets})
	if err != nil {
		log.Fatal(err)
	}
	for i, r := range records {
		fmt.Println(r.Name, "at", plan.Offsets[i])
	}
	fmt.Println(plan.Total, "bytes, optimal:", plan.Optimal)
	fmt.Println(plan.Proof)
	// Output:
	// a at 0
	// b at 96
	// c at 0
	// d at 32
	// 160 bytes, optimal: true
	// the total equals the lower bound: the largest operator breadth
}

// With shared objects each tensor gets a whole buffer, as on a GPU.
func ExampleSolve_shared() {
	plan, err := alloc.Solve(context.Background(), records, alloc.Options{Approach: alloc.Shared, Strategy: alloc.GreedyBySize})
	if err != nil {
		log.Fatal(err)
	}
	for i, r := range records {
		fmt.Println(r.Name, "in object", plan.Objects[i])
	}
	fmt.Println("sizes of the objects:", plan.ObjectSizes)
	// Output:
	// a in object 0
	// b in object 1
	// c in object 2
	// d in object 0
	// sizes of the objects: [96 64 32]
}

// The answer to whether an arena is large enough comes with a plan or with a proof.
func ExampleFit() {
	for _, capacity := range []int64{160, 159} {
		v, err := alloc.Fit(context.Background(), records, capacity, alloc.Options{})
		if err != nil {
			log.Fatal(err)
		}
		switch v.Answer {
		case alloc.Fits:
			fmt.Println(capacity, "bytes are enough:", v.Plan.Offsets)
		case alloc.Misfit:
			fmt.Println(capacity, "bytes are not:", v.Proof)
			for _, i := range v.Core {
				fmt.Println("  too much by themselves:", records[i].Name)
			}
		}
	}
	// Output:
	// 160 bytes are enough: [0 96 0 32]
	// 159 bytes are not: the largest operator breadth is 160 B
	//   too much by themselves: a
	//   too much by themselves: b
}

// A kernel that writes its output from the first byte on, while it reads its input, lets the
// output begin 100 bytes before the input.
func ExampleOptions_apart() {
	records := []lifetime.Record{
		{ID: "in", First: 0, Last: 1, Size: 1000},
		{ID: "out", First: 1, Last: 2, Size: 800},
	}
	apart := func(a, b int) []lifetime.Range {
		// Differences offset[out]-offset[in], from 99 bytes before up to the end of in.
		return []lifetime.Range{{Lo: -99, Hi: 999}}
	}
	plan, err := alloc.Solve(context.Background(), records, alloc.Options{Approach: alloc.Offsets, Forbidden: apart})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(plan.Total, "bytes at", plan.Offsets)
	// Output:
	// 1100 bytes at [100 0]
}

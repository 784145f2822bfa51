package order_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/order"
)

// Two branches read the input. Each makes a large tensor and then a small one from it. In the
// given order both large tensors are alive at once.
func ExampleLeast() {
	size := func(bytes int64) lifetime.Tensor { return lifetime.Tensor{Size: bytes, Planned: true} }
	s := &lifetime.Subgraph{
		Tensors: []lifetime.Tensor{size(10), size(100), size(100), size(5), size(5), size(1)},
		Inputs:  []int{0},
		Outputs: []int{5},
		Operators: []lifetime.Operator{
			{Index: 0, Inputs: []int{0}, Outputs: []int{1}},
			{Index: 1, Inputs: []int{0}, Outputs: []int{2}},
			{Index: 2, Inputs: []int{1}, Outputs: []int{3}},
			{Index: 3, Inputs: []int{2}, Outputs: []int{4}},
			{Index: 4, Inputs: []int{3, 4}, Outputs: []int{5}},
		},
	}
	r, err := order.Least(context.Background(), s, order.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("order:", r.Order)
	fmt.Println("peak:", r.Own, "->", r.Peak, "bytes")
	fmt.Println("no order has less:", r.Proven)
	// Output:
	// order: [1 3 0 2 4]
	// peak: 210 -> 115 bytes
	// no order has less: true
}

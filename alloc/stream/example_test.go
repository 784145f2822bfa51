package stream_test

import (
	"context"
	"fmt"
	"time"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/network"
)

// chain is a network of three layers whose weights are 1024 bytes each. A layer loads for 4 ms
// and computes for 3 ms.
func chain() *network.Network {
	net := &network.Network{Layers: make([]network.Layer, 4)}
	for i := range net.Layers {
		net.Tensors = append(net.Tensors, network.Tensor{Kind: network.Activation, First: i, Last: min(i+1, 3), Size: 64})
		if i > 0 {
			net.Layers[i] = network.Layer{Load: 4 * time.Millisecond, Compute: 3 * time.Millisecond}
			net.Tensors = append(net.Tensors, network.Tensor{Kind: network.Weight, First: i, Last: i, Size: 1024})
		}
	}
	return net
}

func ExampleSolve() {
	net := chain()
	for _, budget := range []int64{1152, 2176, 3200} {
		plan, err := stream.Solve(context.Background(), net, budget, stream.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%d bytes: %v a run, at least %v, the first one %v\n", budget, plan.Latency, plan.LowerBound, plan.First)
	}
	_, err := stream.Solve(context.Background(), net, 1000, stream.Options{})
	fmt.Println(err)
	// Output:
	// 1152 bytes: 21ms a run, at least 21ms, the first one 21ms
	// 2176 bytes: 14ms a run, at least 14ms, the first one 18ms
	// 3200 bytes: 9ms a run, at least 9ms, the first one 21ms
	// no plan fits into 1,000 B: the least budget is 1,152 B
}

func ExampleLeast() {
	least, err := stream.Least(context.Background(), chain())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(least.Bytes, least.Optimal)
	// Output: 1152 true
}

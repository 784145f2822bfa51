package network_test

import (
	"fmt"
	"time"

	"github.com/tflarena/tflarena/alloc/stream/network"
)

// A layer computes while the weights of the next one load.
func ExampleSimulate() {
	layer := network.Layer{Load: 4 * time.Millisecond, Compute: 3 * time.Millisecond}
	net := &network.Network{Layers: []network.Layer{{}, layer, layer}, Tensors: []network.Tensor{
		{Kind: network.Weight, First: 1, Last: 1, Size: 128},
		{Kind: network.Weight, First: 2, Last: 2, Size: 128},
	}}
	place := network.NewPlacement(net)
	place.Start[1] = 1 // the load of layer 2 waits for the input alone
	loads, _ := place.Loads(net)
	run := network.Simulate(net, loads, place.Waits(net))
	fmt.Println(run.Latency(), run.Stall())
	// Output: 11ms 5ms
}

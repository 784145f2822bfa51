package check_test

import (
	"fmt"

	"github.com/tflarena/tflarena/alloc/stream/check"
	"github.com/tflarena/tflarena/alloc/stream/network"
)

func ExamplePlacement() {
	net := &network.Network{Layers: make([]network.Layer, 3), Tensors: []network.Tensor{
		{Kind: network.Weight, First: 1, Last: 1, Size: 128},
		{Kind: network.Weight, First: 2, Last: 2, Size: 128},
	}}
	place := &network.Placement{Resident: make([]bool, 2), Start: []int{1, 2}, Offsets: make([]int64, 2)}
	fmt.Println(check.Placement(net, place, 128))
	place.Start[1] = 1 // it is loaded while layer 1 computes, and lies where the weights of layer 1 do
	fmt.Println(check.Placement(net, place, 128))
	// Output:
	// <nil>
	// overlap: record 0 (, positions 1 to 1) in bytes [0, 128) and record 1 (, positions 1 to 2) in bytes [0, 128)
}

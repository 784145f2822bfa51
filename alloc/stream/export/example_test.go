package export_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/export"
	"github.com/tflarena/tflarena/alloc/stream/network"
)

// chain is a network of two layers with weights of 1000 bytes each.
func chain() *network.Network {
	layer := network.Layer{Load: 4 * time.Millisecond, Compute: 3 * time.Millisecond}
	return &network.Network{Layers: []network.Layer{{}, layer, layer}, Tensors: []network.Tensor{
		{Kind: network.Activation, First: 0, Last: 1, Size: 64},
		{Kind: network.Weight, First: 1, Last: 1, Size: 1000},
		{Kind: network.Activation, First: 1, Last: 2, Size: 64},
		{Kind: network.Weight, First: 2, Last: 2, Size: 1000},
	}}
}

func ExampleCSV() {
	net := chain()
	plan, err := stream.Solve(context.Background(), net, 1152, stream.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(export.CSV(net, plan)))
	// Output:
	// type,index,layer,first_step,last_step,offset,size,resident,waits_for
	// activation,0,0,0,1,0,64,false,
	// weight,0,1,1,1,128,1000,false,0
	// activation,1,1,1,2,64,64,false,
	// weight,1,2,2,2,128,1000,false,1
}

func ExampleC() {
	net := chain()
	plan, err := stream.Solve(context.Background(), net, 1152, stream.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text := string(export.C(net, []*stream.Plan{plan}, "chain.csv"))
	fmt.Print(text[strings.Index(text, "struct"):strings.Index(text, "static const uint64_t")])
	// Output:
	// struct chain_weight {
	//     int32_t layer;
	//     int32_t wait;     /* the layer that is to have computed, or STAY */
	//     uint64_t storage; /* bytes from the beginning of the weights */
	//     uint64_t address; /* bytes from the beginning of the memory */
	//     uint64_t size;    /* bytes */
	// };
	//
	// static const struct chain_weight chain_weights[] = {
	//     {1, 0, 0, 128, 1000},
	//     {2, 1, 1024, 128, 1000},
	// };
}

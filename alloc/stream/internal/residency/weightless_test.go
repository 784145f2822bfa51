package residency

import (
	"testing"
	"time"

	"github.com/tflarena/tflarena/alloc/stream/network"
)

// TestLoadOfNoBytes: a load without bytes begins as soon as the loader is free: it requires no memory,
// so that it never waits for any, even after a layer whose weights had to wait.
func TestLoadOfNoBytes(t *testing.T) {
	const align = network.Alignment
	net := &network.Network{
		Layers: []network.Layer{{}, {Compute: 4}, {}, {Load: 3}},
		Tensors: []network.Tensor{
			{Kind: network.Activation, First: 0, Last: 1, Size: align},
			{Kind: network.Weight, First: 2, Last: 2, Size: align},
			{Kind: network.Weight, First: 3, Last: 3},
		},
	}
	e := NewEvaluator(NewProblem(net))
	got := e.Latency(make([]bool, len(net.Layers)), align)
	if want := 4 * time.Nanosecond; got != want {
		t.Fatalf("latency %v, want %v: the load can run while layer 1 computes", got, want)
	}
}

package stream_test

import (
	"context"
	"testing"
	"time"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/testkit/golden"
)

// TestLarge plans a network of very many layers in a time that fits to their number.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: plans thousands of layers")
	}
	layers := 4_000
	if *golden.Audit {
		layers = 20_000
	}
	net := &network.Network{Layers: make([]network.Layer, layers)}
	for i := range net.Layers {
		net.Tensors = append(net.Tensors, network.Tensor{Kind: network.Activation, First: i, Last: min(i+1+i%3, len(net.Layers)-1), Size: int64(64 + i%1000)})
		if i > 0 {
			net.Layers[i] = network.Layer{Load: time.Duration(100+i%700) * time.Microsecond, Compute: time.Duration(i%900) * time.Microsecond}
			net.Tensors = append(net.Tensors, network.Tensor{Kind: network.Weight, First: i, Last: i, Size: int64(1000 + i*37%5000)})
		}
	}
	for _, s := range stream.Strategies() {
		start := time.Now()
		plan, err := stream.Solve(context.Background(), net, 200_000, stream.Options{Strategy: s})
		if err != nil {
			t.Errorf("%s: %v", s, err)
			continue
		}
		t.Logf("%s: %v, bound %v, %v", s, plan.Latency, plan.LowerBound, time.Since(start))
	}
}

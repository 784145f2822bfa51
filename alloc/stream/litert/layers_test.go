package litert

import (
	"errors"
	"testing"
	"time"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

// TestNetwork compares the layers of a published network with what is known of it: 300 million
// multiply-accumulates, and 3.5 million weights of four bytes.
func TestLayers(t *testing.T) {
	net, err := Layers(builtin.Model(t, "mobilenet-v2"), Rates{MACs: 30e9, Bytes: 257e6, Read: time.Microsecond}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var compute, load time.Duration
	var bytes, reads int64
	for i, l := range net.Layers {
		if i > 0 && l.Name == "" {
			t.Errorf("layer %d has no name", i)
		}
		compute, load = compute+l.Compute, load+l.Load
	}
	for _, tensor := range net.Tensors {
		if tensor.Kind == network.Weight {
			bytes, reads = bytes+tensor.Size, reads+1
		}
	}
	if ms := compute.Seconds() * 1000; ms < 9 || ms > 11 {
		t.Errorf("computes for %v", compute)
	}
	if bytes < 13_500_000 || bytes > 14_500_000 {
		t.Errorf("%d bytes of weights", bytes)
	}
	want := time.Duration(float64(bytes)/257e6*1e9) + time.Duration(reads)*time.Microsecond
	if (load - want).Abs() > time.Microsecond {
		t.Errorf("loads for %v, want %v", load, want)
	}
	if first := net.Tensors[0]; first.Kind != network.Activation || first.First != 0 {
		t.Errorf("the input is %+v", first)
	}
}

// TestCorpus wants layers of every real model, or the reason why it has none.
func TestCorpus(t *testing.T) {
	calls := 0
	for _, f := range corpus.Accepted(t) {
		m, err := tflite.Open(f.Path)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		net, err := Layers(m, Rates{MACs: 1e9, Bytes: 1e8}, nil)
		switch {
		case errors.Is(err, ErrCalls):
			calls++
		case err != nil:
			t.Errorf("%s: %v", f.Name, err)
		case len(net.Layers) > len(m.Subgraphs[0].Operators)+1:
			t.Errorf("%s: %d layers of %d operators", f.Name, len(net.Layers), len(m.Subgraphs[0].Operators))
		}
	}
	if calls == 0 {
		t.Error("no model calls a subgraph")
	}
}

// TestAllModels: every built-in network has a plan, or a reason for none.
func TestAllModels(t *testing.T) {
	for _, n := range models.List() {
		net, err := Layers(builtin.Model(t, n.Name), Rates{MACs: 1e9, Bytes: 1e8}, nil)
		if errors.Is(err, ErrCalls) {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", n.Name, err)
			continue
		}
		if testing.Short() {
			continue
		}
		if _, err := stream.Solve(t.Context(), net, stream.Whole(net), stream.Options{Quick: true}); err != nil {
			t.Errorf("%s: %v", n.Name, err)
		}
	}
	if _, err := Layers(builtin.Model(t, "blazeface"), Rates{MACs: 1}, nil); err == nil {
		t.Error("a rate of zero is taken")
	}
}

package network

import (
	"strings"
	"testing"
	"time"

	"github.com/tflarena/tflarena/lifetime"
)

// TestCheck wants an error for everything that is no network.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		net  Network
		want string
	}{
		{Network{}, "no layers"},
		{Network{Layers: []Layer{{Load: -1}}}, "negative duration"},
		{Network{Layers: []Layer{{}, {Load: MaxTime}, {Compute: 1}}}, "layer 2 brings the sum"},
		{Network{Layers: make([]Layer, 1), Tensors: []Tensor{{Kind: 3}}}, "there is no such kind"},
		{Network{Layers: make([]Layer, 1), Tensors: []Tensor{{Kind: Activation, Last: 1}}}, "only layers 0 to 0"},
		{Network{Layers: make([]Layer, 3), Tensors: []Tensor{{Kind: Activation, First: 2, Last: 1}}}, "from layer 2 to layer 1"},
		{Network{Layers: make([]Layer, 3), Tensors: []Tensor{{First: 1, Last: 2}}}, "a weight belongs to one layer"},
		{Network{Layers: make([]Layer, 1), Tensors: []Tensor{{}}}, "layer 0 is the input"},
		{Network{Layers: make([]Layer, 1), Tensors: []Tensor{{Kind: Intermediate, Size: -1}}}, "a size is not negative"},
		{Network{Layers: make([]Layer, 1), Tensors: []Tensor{{Kind: Activation, Size: lifetime.MaxTotal}}}, "brings the sum of sizes"},
	} {
		if err := c.net.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// TestSimulate follows the example of a published recording by hand: load 2 waits for compute 1.
func TestSimulate(t *testing.T) {
	us := func(n int) time.Duration { return time.Duration(n) * time.Microsecond }
	net := &Network{Layers: []Layer{{}, {"", 0, us(60)}, {"", us(192), us(280)}, {"", us(896), us(230)}, {"", us(576), us(50)}}}
	run := Simulate(net, []time.Duration{0, 0, us(192), us(896), us(576)}, []int{0, 0, 1, 1, 3})
	if run.Load[2] != (Span{us(60), us(252)}) || run.Load[3] != (Span{us(252), us(1148)}) || run.Load[4] != (Span{us(1378), us(1954)}) {
		t.Errorf("loads %v", run.Load)
	}
	if run.Latency() != us(2004) || run.Stall() != us(2004-60-280-230-50) {
		t.Errorf("latency %v, stall %v", run.Latency(), run.Stall())
	}
}

// TestShare rounds up and does not overflow.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		d         time.Duration
		part, all int64
		want      time.Duration
	}{
		{10, 0, 3, 0},
		{10, 1, 3, 4},
		{10, 3, 3, 10},
		{10, 0, 0, 10},
		{MaxTime, lifetime.MaxTotal - 1, lifetime.MaxTotal, MaxTime},
		{MaxTime, lifetime.MaxTotal / 2, lifetime.MaxTotal, MaxTime / 2},
	} {
		if got := Share(c.d, c.part, c.all); got != c.want {
			t.Errorf("Share(%d, %d, %d) = %d, want %d", c.d, c.part, c.all, got, c.want)
		}
	}
}

package bound

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/testkit/streaming"
)

// TestBounds holds each bound to all plans of small networks that keep to the budget when memory is
// only counted.
func TestBounds(t *testing.T) {
	met := 0
	rapid.Check(t, func(t *rapid.T) {
		net := streaming.Network(t, 6)
		budget := streaming.Budget(t, net)
		fastest := time.Duration(1<<63 - 1)
		streaming.Each(net, func(p streaming.Plan) {
			if p.Latency < fastest && streaming.Fits(net, p, (budget+63)&^63) {
				fastest = p.Latency
			}
		})
		if fastest == 1<<63-1 {
			return
		}
		quick, strong, shares := Quick(net, budget), Strong(net, budget), Shares(net, budget)
		if max(quick, strong, shares) > fastest || strong < quick {
			t.Fatalf("bounds %v, %v, %v, but the fastest plan takes %v", quick, strong, shares, fastest)
		}
		if max(strong, shares) == fastest {
			met++
		}
	})
	if met == 0 {
		t.Error("no bound was met")
	}
}

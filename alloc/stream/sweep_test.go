package stream_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/internal/testkit/streaming"
)

// TestSweep wants a curve that begins with the least budget, ends with the time of computing alone, and
// never rises.
func TestSweep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := streaming.Network(t, 10)
		curve, err := stream.Sweep(context.Background(), net, 6, stream.Options{SearchNodes: 200})
		if err != nil {
			t.Fatal(err)
		}
		if curve.Points[0].Budget != curve.Least.Bytes || curve.Knee < 0 || curve.Knee >= len(curve.Points) {
			t.Fatalf("least %d, first point %d, knee %d", curve.Least.Bytes, curve.Points[0].Budget, curve.Knee)
		}
		for i, p := range curve.Points {
			if i > 0 && curve.Points[i-1].Best.Latency == p.Best.Latency && p.Best.Read > curve.Points[i-1].Best.Read {
				t.Fatalf("point %d reads %d B, the one before it %d B", i, p.Best.Read, curve.Points[i-1].Best.Read)
			}
			if i > 0 && p.Best.Latency > curve.Points[i-1].Best.Latency || p.LowerBound > p.Best.Latency {
				t.Fatalf("point %d: %v, bound %v", i, p.Best.Latency, p.LowerBound)
			}
		}
	})
}

// TestWithinLatency asks the reverse question about a network of the paper.
func TestWithinLatency(t *testing.T) {
	net := profile(t, "mobilenetv2", "r1")
	plan, least, err := stream.WithinLatency(context.Background(), net, 30*time.Millisecond, stream.Options{SearchNodes: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	if plan.Latency > 30*time.Millisecond || plan.Peak < least || plan.Peak > 18_000_000 {
		t.Errorf("%v in %d bytes, at least %d", plan.Latency, plan.Peak, least)
	}
	var unreachable *stream.UnreachableError
	if _, _, err := stream.WithinLatency(context.Background(), net, 10*time.Millisecond, stream.Options{}); !errors.As(err, &unreachable) {
		t.Errorf("10 ms: %v", err)
	}
}

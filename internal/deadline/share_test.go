package deadline

import (
	"context"
	"testing"
	"time"
)

// TestShares: a share and what is spared end where the time until the deadline is divided, and neither is
// limited without a deadline.
func TestShares(t *testing.T) {
	end := time.Now().Add(time.Hour)
	ctx, stop := context.WithDeadline(t.Context(), end)
	defer stop()
	for _, c := range []struct {
		of    func(context.Context, int) (context.Context, context.CancelFunc)
		parts int
		left  float64 // of the hour, after the deadline
	}{{Share, 1, 0}, {Share, 2, 0.5}, {Share, 10, 0.9}, {Spare, 2, 0.5}, {Spare, 10, 0.1}} {
		part, release := c.of(ctx, c.parts)
		got, _ := part.Deadline()
		release()
		if left := end.Sub(got).Hours(); left < c.left-0.01 || left > c.left+0.01 {
			t.Errorf("one of %d parts leaves %.2f of the time, want %.2f", c.parts, left, c.left)
		}
		if part, release := c.of(t.Context(), c.parts); part != t.Context() {
			release()
			t.Error("a limit without a deadline")
		}
	}
}

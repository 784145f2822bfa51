package deadline

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

// Deadlines end computing goroutines that poll, however many there are, and also with a single thread.
func TestDeadlines(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 250*time.Millisecond)
	defer cancel()
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			const most = time.Minute
			start := time.Now()
			for Err(ctx) == nil {
				if time.Since(start) > most {
					t.Error("the deadline did not come")
					return
				}
			}
		})
	}
	all.Wait()
	if err := Err(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

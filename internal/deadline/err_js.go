package deadline

import (
	"context"
	"syscall/js"
	"time"
)

// slice is how long a search computes until the others have their turn: people do not notice so
// much, and a turn, of a few milliseconds, costs little beside it.
const slice = 100 * time.Millisecond

var (
	// since is when the others had their turn last.
	since = time.Now()
	// turn is closed once they had it; it is nil while nobody waits for that.
	turn chan struct{}

	resume = js.FuncOf(func(js.Value, []js.Value) any {
		close(turn)
		turn, since = nil, time.Now()
		return nil
	})
)

// Err returns ctx.Err(), and before that lets others have their turn if it is time.
func Err(ctx context.Context) error {
	if time.Since(since) >= slice {
		wait()
	}
	return ctx.Err()
}

// wait returns after the browser had its turn: all goroutines that compute wait for the same one,
// because it comes only when none of them runs.
func wait() {
	if turn == nil {
		turn = make(chan struct{})
		js.Global().Call("setTimeout", resume, 0)
	}
	<-turn
}

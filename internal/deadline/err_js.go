package deadline

import (
	"context"
	"syscall/js"
	"time"
)

// slice is the time that a search computes between turns of the event loop: short enough for people,
// and long compared with a turn of a few milliseconds.
const slice = 100 * time.Millisecond

var (
	// since is the end of the last turn.
	since = time.Now()
	// turn is closed at the end of a turn; it is nil while no goroutine waits.
	turn chan struct{}

	resume = js.FuncOf(func(js.Value, []js.Value) any {
		close(turn)
		turn, since = nil, time.Now()
		return nil
	})
)

// Err returns ctx.Err(), after a turn of the event loop if one is due.
func Err(ctx context.Context) error {
	if time.Since(since) >= slice {
		wait()
	}
	return ctx.Err()
}

// wait returns after the browser's turn: all computing goroutines wait for the same one, because it
// comes only when none of them runs.
func wait() {
	if turn == nil {
		turn = make(chan struct{})
		js.Global().Call("setTimeout", resume, 0)
	}
	<-turn
}

package deadline

import (
	"context"
	"syscall/js"
	"time"
)

// turnInterval is the time that a search computes between turns of the event loop: short enough for
// people, and long compared with a turn of a few milliseconds.
const turnInterval = 100 * time.Millisecond

var (
	// lastTurn is the end of the last turn.
	lastTurn = time.Now()
	// turnDone is closed at the end of a turn; it is nil while no goroutine waits.
	turnDone chan struct{}

	resume = js.FuncOf(func(js.Value, []js.Value) any {
		close(turnDone)
		turnDone, lastTurn = nil, time.Now()
		return nil
	})
)

// Err returns ctx.Err(), after a turn of the event loop if one is due.
func Err(ctx context.Context) error {
	if time.Since(lastTurn) >= turnInterval {
		wait()
	}
	return ctx.Err()
}

// wait returns after the browser's turn: all computing goroutines wait for the same one, because it
// comes only when none of them runs.
func wait() {
	if turnDone == nil {
		turnDone = make(chan struct{})
		js.Global().Call("setTimeout", resume, 0)
	}
	<-turnDone
}

// Package workers runs functions in goroutines, and passes their panics to the goroutine that waits for
// them.
//
// A large model is mapped: reading it after the file was truncated is a fault, which ends the process
// unless the reading goroutine has requested a panic instead, and a panic in another goroutine cannot
// be recovered. So everything that may read a model in a goroutine is started here.
package workers

import (
	"runtime/debug"
	"sync"
)

// Run calls f and returns the value that it panicked with, or nil. A fault in mapped memory is a panic,
// too.
func Run(f func()) (cause any) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { cause = recover() }()
	f()
	return nil
}

// A Group is functions that run concurrently. Its zero value is empty.
type Group struct {
	wait  sync.WaitGroup
	once  sync.Once
	cause any
}

// Go calls f in a new goroutine.
func (g *Group) Go(f func()) {
	g.wait.Go(func() {
		if cause := Run(f); cause != nil {
			g.once.Do(func() { g.cause = cause })
		}
	})
}

// Wait waits for all functions, and panics with the value of the first panic, if any.
func (g *Group) Wait() {
	g.wait.Wait()
	if g.cause != nil {
		panic(g.cause)
	}
}

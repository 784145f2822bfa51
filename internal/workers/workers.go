// Package workers runs functions in goroutines of their own, whose panics are those of the goroutine
// that waits for them.
//
// A large model is mapped: reading it after the file was cut short is a fault, which ends the process
// unless the goroutine that reads has asked for a panic instead, and a panic in a goroutine of its own
// cannot be recovered elsewhere. So whatever may read a model in a goroutine is started here.
package workers

import (
	"runtime/debug"
	"sync"
)

// Run calls f and returns the value that it panicked with, nil for none. A fault in mapped memory is a
// panic, too.
func Run(f func()) (cause any) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { cause = recover() }()
	f()
	return nil
}

// A Group is some functions that run at the same time. Its zero value has none.
type Group struct {
	wait  sync.WaitGroup
	once  sync.Once
	cause any
}

// Go calls f in a goroutine of its own.
func (g *Group) Go(f func()) {
	g.wait.Go(func() {
		if cause := Run(f); cause != nil {
			g.once.Do(func() { g.cause = cause })
		}
	})
}

// Wait waits for all functions, and panics with the value that the first of them has panicked with, if any
// has.
func (g *Group) Wait() {
	g.wait.Wait()
	if g.cause != nil {
		panic(g.cause)
	}
}

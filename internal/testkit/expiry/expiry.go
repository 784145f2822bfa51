// Package expiry makes contexts for tests that end after a number of polls, so that tests of early ends
// do not depend on a clock.
package expiry

import (
	"context"
	"sync"
	"time"
)

// A Context ends after a number of calls of Err. Derived contexts end with it.
type Context struct {
	context.Context
	// Limited sets a deadline that never comes.
	Limited bool

	mu           sync.Mutex
	left         int
	asked, after int
	cause        error
	done         chan struct{}
	ended        map[int]func()
}

// New returns a context that ends, as at a deadline, after times polls.
func New(times int) *Context {
	return &Context{Context: context.Background(), left: times, cause: context.DeadlineExceeded, done: make(chan struct{}), ended: map[int]func(){}}
}

// Interrupted returns a context that ends as at an interrupt.
func Interrupted(times int) *Context {
	c := New(times)
	c.cause = context.Canceled
	return c
}

// Asked returns the number of polls until the context ended.
func (c *Context) Asked() int { c.mu.Lock(); defer c.mu.Unlock(); return c.asked }

// After returns the number of polls after the context ended.
func (c *Context) After() int { c.mu.Lock(); defer c.mu.Unlock(); return c.after }

// Err counts its calls, and returns an error once the context has ended.
func (c *Context) Err() error {
	c.mu.Lock()
	if c.left > 0 {
		c.left--
		c.asked++
		c.mu.Unlock()
		return nil
	}
	c.after++
	ended := c.ended
	if c.ended != nil {
		close(c.done)
	}
	c.ended = nil
	c.mu.Unlock()
	for _, f := range ended {
		f()
	}
	return c.cause
}

// Deadline returns a time that never comes if the context is limited.
func (c *Context) Deadline() (time.Time, bool) {
	if c.Limited {
		return time.Now().Add(24 * 365 * time.Hour), true
	}
	return time.Time{}, false
}

// Done is closed when the context has ended.
func (c *Context) Done() <-chan struct{} { return c.done }

// AfterFunc makes package context end derived contexts at once.
func (c *Context) AfterFunc(f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended == nil {
		go f()
		return func() bool { return false }
	}
	key := len(c.ended)
	for c.ended[key] != nil {
		key++
	}
	c.ended[key] = f
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		_, waiting := c.ended[key]
		delete(c.ended, key)
		return waiting
	}
}

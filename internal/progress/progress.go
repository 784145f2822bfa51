// Package progress shows the progress of a long computation on a terminal, in one line that disappears
// at the end.
package progress

import (
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	delay    = 500 * time.Millisecond // shorter work shows nothing
	interval = 100 * time.Millisecond
)

// A Line is one line of progress. A nil Line shows nothing.
type Line struct {
	w     io.Writer
	start time.Time
	stop  chan struct{}
	done  sync.WaitGroup

	mu   sync.Mutex
	text string
}

// Start begins a line on w, which must be a terminal, with an initial text. Nothing is written in the
// first half second. The caller calls Stop.
func Start(w io.Writer, text string) *Line {
	l := &Line{w: w, start: time.Now(), stop: make(chan struct{}), text: text}
	l.done.Go(l.show)
	return l
}

// Set replaces the text, which must be a single line. Any goroutine may call it.
func (l *Line) Set(text string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = text
}

// Stop erases the line. After it returns nothing more is written.
func (l *Line) Stop() {
	if l == nil {
		return
	}
	close(l.stop)
	l.done.Wait()
}

func (l *Line) show() {
	wait := time.NewTimer(delay)
	defer wait.Stop()
	select {
	case <-l.stop:
	case <-wait.C:
		l.repeat()
	}
}

// repeat writes the line until it is stopped, and erases it then.
func (l *Line) repeat() {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		l.mu.Lock()
		text := l.text
		l.mu.Unlock()
		fmt.Fprintf(l.w, "\r\x1b[K%s, %.1f s", text, time.Since(l.start).Seconds())
		select {
		case <-l.stop:
			fmt.Fprint(l.w, "\r\x1b[K")
			return
		case <-tick.C:
		}
	}
}

package parts

import (
	"sync"

	"github.com/tflarena/tflarena/rewrite/split"
)

// A Memo keeps what stages cost, so that several rows count each stage once. The rows are of one
// model, with the same scratch and for the same target; the takeovers, and how fine stages
// need to be, may differ. Many goroutines may use it. A nil Memo keeps nothing.
type Memo struct {
	mu    sync.Mutex
	known map[split.Stage]counted
}

// counted is what [Candidate.Cost] returned for a stage.
type counted struct {
	cost Cost
	err  error
}

// NewMemo returns a memo that knows nothing yet.
func NewMemo() *Memo { return &Memo{known: map[split.Stage]counted{}} }

// cost returns what a stage costs, counted once.
func (m *Memo) cost(s split.Stage, count func() (Cost, error)) (Cost, error) {
	if m == nil {
		return count()
	}
	m.mu.Lock()
	c, ok := m.known[s]
	m.mu.Unlock()
	if ok {
		return c.cost, c.err
	}
	c.cost, c.err = count()
	m.mu.Lock()
	m.known[s] = c
	m.mu.Unlock()
	return c.cost, c.err
}

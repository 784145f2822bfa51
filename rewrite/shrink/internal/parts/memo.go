package parts

import (
	"sync"

	"github.com/tflarena/tflarena/rewrite/split"
)

// Memo caches the costs of stages, so that several rows compute each stage once. The rows must
// have the same model, scratch and target; --alias levels and the fineness of stages may
// differ. It is safe for concurrent use. A nil Memo caches nothing.
type Memo struct {
	mu    sync.Mutex
	known map[split.Stage]counted
}

// counted is a result of [Row.Path] for a stage.
type counted struct {
	cost Cost
	err  error
}

// NewMemo returns an empty memo.
func NewMemo() *Memo { return &Memo{known: map[split.Stage]counted{}} }

// cost returns the cost of a stage, computed once.
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

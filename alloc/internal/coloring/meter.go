package coloring

import (
	"context"

	"github.com/tflarena/tflarena/internal/deadline"
)

// A meter counts the nodes of a search and says when to end it.
type meter struct {
	ctx   context.Context
	nodes int64
	max   int64 // 0: any number
	// work is what was looked at since ctx was asked last: items and classes.
	work int
	// interrupted says that ctx has ended.
	interrupted bool
}

// How much may be looked at until ctx is asked again, about a millisecond, and what a node
// counts for at least.
const (
	workPerPoll = 1 << 18
	nodeWork    = workPerPoll / 8
)

// step counts one node. It reports false when the search is to end.
func (m *meter) step() bool {
	m.nodes++
	m.spend(nodeWork)
	return !m.over()
}

// spend counts work within a node, which takes as long as the instance is large. It
// reports false when ctx has ended.
func (m *meter) spend(work int) bool {
	if m.work += work; m.work >= workPerPoll {
		m.work = 0
		m.interrupted = m.interrupted || deadline.Err(m.ctx) != nil
	}
	return !m.interrupted
}

func (m *meter) over() bool { return m.interrupted || m.max > 0 && m.nodes > m.max }

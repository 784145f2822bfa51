package coloring

import (
	"context"

	"github.com/tflarena/tflarena/internal/deadline"
)

// A meter counts the nodes of a search and ends it.
type meter struct {
	ctx   context.Context
	nodes int64
	max   int64 // 0: no limit
	// work is the number of items and classes visited since ctx was last polled.
	work int
	// interrupted reports that ctx has ended.
	interrupted bool
}

// Work between polls of ctx, about a millisecond, and the minimum work of a node.
const (
	workPerPoll = 1 << 18
	nodeWork    = workPerPoll / 8
)

// step counts one node. It reports false if the search must end.
func (m *meter) step() bool {
	m.nodes++
	m.spend(nodeWork)
	return !m.over()
}

// spend counts work within a node, which grows with the instance. It reports false if ctx has ended.
func (m *meter) spend(work int) bool {
	if m.work += work; m.work >= workPerPoll {
		m.work = 0
		m.interrupted = m.interrupted || deadline.Err(m.ctx) != nil
	}
	return !m.interrupted
}

func (m *meter) over() bool { return m.interrupted || m.max > 0 && m.nodes > m.max }

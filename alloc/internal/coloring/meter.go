package coloring

import "context"

// A meter counts the nodes of a search and says when to end it.
type meter struct {
	ctx   context.Context
	nodes int64
	max   int64 // 0: any number
	// interrupted says that ctx has ended.
	interrupted bool
}

// step counts one node. It reports false when the search is to end.
func (m *meter) step() bool {
	m.nodes++
	if m.nodes%8 == 0 && m.ctx.Err() != nil {
		m.interrupted = true
	}
	return !m.over()
}

func (m *meter) over() bool { return m.interrupted || m.max > 0 && m.nodes > m.max }

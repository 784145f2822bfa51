package disjunctive

import (
	"context"

	"github.com/tflarena/tflarena/internal/deadline"
)

// A meter counts the work and ends the search.
type meter struct {
	ctx             context.Context
	nodes, maxNodes int64
	steps           int64
	over            bool // the context has ended or the nodes are used up
}

// node counts a search node and reports whether the search may go on.
func (m *meter) node() bool {
	if m.maxNodes > 0 && m.nodes >= m.maxNodes {
		m.over = true
		return false
	}
	m.nodes++
	return m.step()
}

// step counts a small step and reports whether the search may go on. It polls the context at times.
func (m *meter) step() bool {
	if m.steps%64 == 0 && deadline.Err(m.ctx) != nil {
		m.over = true
	}
	m.steps++
	return !m.over
}

package reorder

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// lite is what LiteRT makes of a model in the order of the file: a view and the arena in
// bytes for each subgraph, and what its in-place sharing needs of any order.
type lite struct {
	views   []*rules.View
	own     []int64
	hazards []rules.Hazard
}

func newLite(ctx context.Context, m *tflite.Model) (*lite, error) {
	r, err := rules.Lookup("litert")
	if err != nil {
		return nil, err
	}
	l := &lite{hazards: rules.Hazards(m)}
	for s := range m.Subgraphs {
		v, err := r.View(m, s)
		if err != nil {
			return nil, err
		}
		own, err := l.arena(ctx, v)
		if err != nil {
			return nil, err
		}
		l.views, l.own = append(l.views, v), append(l.own, own)
	}
	return l, nil
}

// larger reports whether LiteRT needs more memory under orders.
func (l *lite) larger(ctx context.Context, orders [][]int) (bool, error) {
	for s, v := range l.views {
		if s >= len(orders) || orders[s] == nil {
			continue
		}
		alone := make([][]int, s+1) // the view has no operators of other subgraphs
		alone[s] = orders[s]
		w, err := v.Reordered(alone)
		if err != nil {
			return false, err
		}
		arena, err := l.arena(ctx, w)
		if err != nil || arena > l.own[s] {
			return true, err
		}
	}
	return false, nil
}

func (l *lite) arena(ctx context.Context, v *rules.View) (int64, error) {
	plan, err := alloc.Solve(ctx, v.Records(), alloc.Options{Approach: alloc.Offsets, Strategy: v.Rules.Planner})
	if err != nil {
		return 0, err
	}
	return plan.Total, nil
}

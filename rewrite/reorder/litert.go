package reorder

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// lite holds LiteRT's requirements on a model's order for in-place sharing and, once computed,
// its arenas in the file's order.
type lite struct {
	model   *tflite.Model
	hazards []rules.Hazard
	arenas  []liteArena
}

// liteArena is LiteRT's arena of a subgraph, own bytes in the file's order: with in-place
// sharing, or without it, as in older versions and with delegates.
type liteArena struct {
	view     *rules.View
	subgraph int
	own      int64
}

func newLite(m *tflite.Model) *lite { return &lite{model: m, hazards: rules.Hazards(m)} }

// measure computes the arenas in the file's order.
func (l *lite) measure(ctx context.Context) error {
	if l.arenas != nil {
		return nil
	}
	r := rules.LiteRT()
	var list []liteArena
	for s := range l.model.Subgraphs {
		for _, r.InPlace = range []bool{false, true} {
			v, err := r.View(l.model, s)
			if err != nil {
				return err
			}
			own, err := bytesOf(ctx, v)
			if err != nil {
				return err
			}
			list = append(list, liteArena{v, s, own})
		}
	}
	l.arenas = list
	return nil
}

// larger reports whether LiteRT's tensor arena grows under orders. Temporary tensors of kernels
// are not counted.
func (l *lite) larger(ctx context.Context, orders [][]int) (bool, error) {
	if err := l.measure(ctx); err != nil {
		return false, err
	}
	for _, a := range l.arenas {
		if a.subgraph >= len(orders) || orders[a.subgraph] == nil {
			continue
		}
		alone := make([][]int, a.subgraph+1) // the view has no operators of other subgraphs
		alone[a.subgraph] = orders[a.subgraph]
		w, err := a.view.Reordered(alone)
		if err != nil {
			return false, err
		}
		bytes, err := bytesOf(ctx, w)
		if err != nil || bytes > a.own {
			return true, err
		}
	}
	return false, nil
}

// bytesOf returns the arena size of LiteRT's planner, in bytes.
func bytesOf(ctx context.Context, v *rules.View) (int64, error) {
	plan, err := alloc.Solve(ctx, v.Records(), alloc.Options{Approach: alloc.Offsets, Strategy: v.Rules.Planner})
	if err != nil {
		return 0, err
	}
	return plan.Total, nil
}

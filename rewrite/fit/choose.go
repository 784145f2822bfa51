package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// A built is a path with the model that it leads to.
type built struct {
	*point
	model *tflite.Model
	rung  *Rung
}

// choosePoint builds paths until one meets the goal, and returns that, or the one of the
// smallest head; nil where none is better than what there is.
func (f *fitter) choosePoint(ctx context.Context, row *row, points []point) (*built, error) {
	var best *built
	list := f.promising(points)
	for k, p := range list {
		if ctx.Err() != nil || f.least() && best != nil && best.rung.Head <= p.peak {
			break
		}
		m, err := row.cut(&p, f.goal.Force)
		if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) {
			f.report.Left = refused.Error()
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("cut %v: %w", p.stages(), err)
		}
		if hope := best != nil || k+1 < len(list); !f.least() && hope && !f.mayMeet(ctx, m) {
			continue
		}
		r, err := f.measure(ctx, "patches", m, f.goal.Alias)
		if err != nil {
			if ctx.Err() != nil {
				break
			}
			return nil, err
		}
		if better := best == nil || r.Head < best.rung.Head; better && r.Head < f.best().Head && (f.least() || r.Arena <= f.best().Arena) {
			best = &built{&p, m, r}
		}
		if f.goal.met(r) {
			return &built{&p, m, r}, nil
		}
	}
	return best, nil
}

// Of the files that are built: how many there are at most, and what part of a peak, in
// percent, outputs that take over inputs may save.
const (
	tries     = 24
	nearest   = 3 // where there is none, or none that meets it
	aliasGain = 15
)

// promising returns the points that may meet the goal, the cheapest first; without a
// budget those of the smallest head.
func (f *fitter) promising(points []point) (list []point) {
	g, best := f.goal, f.best()
	var beyond []point
	for _, p := range points {
		arena := max(p.peak, best.Planning) + best.Tail + p.tail
		if gain := p.peak * aliasGain / 100; f.aliases() && p.peak > g.Head {
			p.peak, arena = p.peak-gain, arena-gain
			p.hopeful = true
		}
		switch {
		case len(p.stages()) == 0 || p.peak >= best.Head || arena > best.Arena && !f.least():
		case g.MaxOverhead >= 0 && float64(p.macs) > g.MaxOverhead*float64(f.report.OwnMACs):
		case g.Head > 0 && p.peak > g.Head || g.Arena > 0 && arena > g.Arena:
			beyond = append(beyond, p)
		default:
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return f.closest(beyond)
	}
	switch {
	case g.Arena > 0: // which bounds the tail
		slices.SortStableFunc(list, func(a, b point) int {
			return cmp.Or(cmp.Compare(a.macs, b.macs), cmp.Compare(a.tail, b.tail), cmp.Compare(a.peak, b.peak))
		})
	case g.Head > 0:
		slices.SortStableFunc(list, func(a, b point) int {
			return cmp.Or(cmp.Compare(f.growth(a), f.growth(b)), cmp.Compare(a.peak, b.peak))
		})
	default: // the first is the best, unless its plan is not
		slices.Reverse(list)
		return list[:min(len(list), nearest)]
	}
	return likely(list)
}

// closest returns the points that come closest to a goal that none meets.
func (f *fitter) closest(points []point) []point {
	slices.SortStableFunc(points, func(a, b point) int {
		if f.goal.Arena > 0 {
			return cmp.Or(cmp.Compare(a.peak+a.tail, b.peak+b.tail), cmp.Compare(a.peak, b.peak))
		}
		return cmp.Compare(a.peak, b.peak)
	})
	return points[:min(len(points), nearest)]
}

// likely takes the first points of a list: half of them may be such that only meet the
// goal when outputs take over inputs.
func likely(list []point) (kept []point) {
	hopeful := 0
	for _, p := range list {
		if p.hopeful {
			hopeful++
		}
		if len(kept) < tries && (!p.hopeful || hopeful <= tries/2) {
			kept = append(kept, p)
		}
	}
	return kept
}

// growth is what a path adds to the work of the model and to what it keeps in memory,
// each as a part of what there was.
func (f *fitter) growth(p point) float64 {
	own := f.report.Rungs[0]
	return float64(p.macs)/float64(max(f.report.OwnMACs, 1)) + float64(p.tail)/float64(max(own.Arena, 1))
}

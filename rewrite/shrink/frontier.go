package shrink

import (
	"context"
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// Survey is the result of [Frontier].
type Survey struct {
	// Own is the unmodified model, OwnMACs its multiply-accumulates in one run.
	Own     Candidate
	OwnMACs int64
	// Levels are the results with no in-place outputs up to the goal's level.
	Levels []Level
	// Foreign describes the signs that the embedded plan is another tool's, "" if there are
	// none. With signs, nothing else is searched unless [Goal.Force] is set.
	Foreign string
	// Interrupted reports that the context ended before everything was tried.
	Interrupted bool
}

// Level is the result at one level of in-place outputs.
type Level struct {
	Alias rules.Alias
	// Points are in order of falling required arena and of rising extra multiply-accumulates,
	// except that models which are not tiled need none: the best without in-place outputs, and the
	// best of the level.
	Points []Point
	// Interrupted reports that time ran out before the whole level was tried.
	Interrupted bool
	// NotCut is the reason why the model could not be tiled, or "".
	NotCut string
}

// Point is a candidate of a trade-off.
type Point struct {
	Candidate
	// NewOperators are the kinds of operators that the point adds to the model.
	NewOperators []string

	of *proposal
}

// overheads are the limits of the overhead that a survey searches with, the most useful first.
var overheads = []float64{-1, 0.05, 0.01, 0.02, 0.1}

// Frontier returns the trade-off between required arena and extra multiply-accumulates at each level of
// in-place outputs up to the goal's. It ignores the goal's budgets; [Goal.MaxOverhead] bounds all
// points. A budget that a point meets is met by [Fit].
//
// If ctx has a deadline, each level gets an equal share of the remaining time. When ctx ends, Frontier
// returns its results so far and sets [Survey.Interrupted].
func Frontier(ctx context.Context, m *tflite.Model, g Goal) (*Survey, error) {
	s, err := newSearch(ctx, m, &g)
	if err != nil {
		return nil, err
	}
	v := &Survey{Own: *s.first, OwnMACs: s.macs, Foreign: s.foreign}
	if s.stays() {
		return v, nil
	}
	levels := g.Alias.UpTo()
	if err := s.untiled(ctx, levels); err != nil {
		return nil, err
	}
	for i, a := range levels {
		within, stop := deadline.Share(ctx, len(levels)-i)
		s.survey(within, &g, a)
		l := Level{Alias: a, Interrupted: within.Err() != nil, NotCut: s.notCut}
		stop()
		if l.Points, err = s.points(&g, a); err != nil {
			return nil, err
		}
		v.Levels = append(v.Levels, l)
		v.Interrupted = v.Interrupted || l.Interrupted
	}
	return v, nil
}

// surveyed is the round of a survey, if its goal permits as many.
const surveyed = 1

// survey searches a level for points of a trade-off, beginning with the result of [Outlook].
func (s *Search) survey(ctx context.Context, g *Goal, a rules.Alias) {
	if a == rules.NoAlias && (g.MaxOverhead < 0 || g.MaxOverhead >= LittleWork) {
		s.explore(ctx, outlookGoal(g.Device), 0)
	}
	round := min(surveyed, s.roundsOf(g)-1)
	for _, most := range overheads {
		if g.MaxOverhead < 0 || most >= 0 && most <= g.MaxOverhead {
			s.explore(ctx, &Goal{MaxOverhead: most, Alias: a, Device: g.Device}, round)
		}
	}
	if g.MaxOverhead >= 0 {
		s.explore(ctx, &Goal{MaxOverhead: g.MaxOverhead, Alias: a, Device: g.Device}, round)
	}
}

// points returns the undominated candidates up to a level.
func (s *Search) points(g *Goal, a rules.Alias) (points []Point, err error) {
	levels := a.UpTo()
	for _, p := range s.done {
		if slices.Contains(levels, p.alias) && g.excessWork(&p.best.Cost) == 0 {
			points = append(points, Point{Candidate: *p.best, of: p})
		}
	}
	points = undominated(points)
	for i := range points {
		c, err := s.written(points[i].of)
		if err != nil {
			return nil, err
		}
		points[i].Candidate, points[i].NewOperators = *c, rewrite.NewOperators(s.own, points[i].of.model)
	}
	return points, nil
}

// undominated returns the undominated points, in order of falling arena. If tiling costs no
// multiply-accumulates, it also returns the point with the smallest arena that is not tiled, which adds
// no operator, and the one without in-place outputs, which makes no demands on kernels.
func undominated(points []Point) (kept []Point) {
	sort.SliceStable(points, func(i, j int) bool {
		a, b := &points[i], &points[j]
		switch {
		case a.Required != b.Required:
			return a.Required < b.Required
		case a.ExtraMACs != b.ExtraMACs:
			return a.ExtraMACs < b.ExtraMACs
		case a.Alias != b.Alias:
			return level(a.Alias) < level(b.Alias)
		}
		return a.Operators < b.Operators
	})
	untiled := func(p Point) bool { return len(p.Stages) == 0 }
	plain := func(p Point) bool { return untiled(p) && p.Alias == rules.NoAlias }
	for _, p := range points {
		better := len(kept) == 0 || p.ExtraMACs < kept[len(kept)-1].ExtraMACs
		if better || untiled(p) && !slices.ContainsFunc(kept, untiled) || plain(p) && !slices.ContainsFunc(kept, plain) {
			kept = append(kept, p)
		}
	}
	slices.Reverse(kept)
	return kept
}

// LittleWork is the maximum of extra MACs considered worthwhile for a smaller arena, as a
// fraction of the model's own.
const LittleWork = 0.05

// Worthwhile returns the recommended point: the smallest arena without in-place outputs, so
// that it is valid for all kernels, and with at most [LittleWork] extra MACs. ok is false if no
// such point needs less than the unmodified model.
func (s *Survey) Worthwhile() (best Point, ok bool) {
	if len(s.Levels) == 0 {
		return best, false
	}
	least := s.Own.Required
	for _, p := range s.Levels[0].Points {
		if p.Required < least && p.Overhead <= LittleWork {
			best, least, ok = p, p.Required, true
		}
	}
	return best, ok
}

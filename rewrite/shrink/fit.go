package shrink

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// Estimate is one way of tiling, before anything is built.
type Estimate struct {
	// Head is the estimated head, Tail the persistent memory beyond the unmodified model's, in
	// bytes.
	Head, Tail int64
	// ExtraMACs are the multiply-accumulates beyond the unmodified model's.
	ExtraMACs int64
	Stages    []split.Stage
}

// Report is the result of [Fit].
type Report struct {
	// Faults are the known faults when the runtime runs the unmodified model.
	Faults []rules.Fault
	// Steps are candidates from the unmodified model to the result, each better than the one before.
	Steps []Candidate
	// Best is the index of the result, the last one; Met reports whether it is within the budgets. Alias is the level of in-place
	// outputs: the goal's, or that of the result with [Goal.Auto].
	Best  int
	Met   bool
	Alias rules.Alias
	// OwnMACs are the multiply-accumulates of one run of the model without tiles, as package op counts
	// them.
	OwnMACs int64
	// Frontier holds estimates of all tilings within the permitted overhead that are undominated in head, extra
	// MACs and tail, in order of falling head.
	Frontier []Estimate
	// Foreign describes the signs that the embedded plan is another tool's, "" if there are none.
	// With signs, nothing is changed unless [Goal.Force] is set.
	Foreign string
	// NotCut is the reason why the model could not be tiled, or "".
	NotCut string
	// Larger meets a head budget alone in an arena larger than the original, if nothing else meets
	// it: an explicit arena budget permits that.
	Larger *Candidate
	// Bottleneck is what limits the result, nil if nothing is planned.
	Bottleneck *Bottleneck
	// NewOperators are the kinds of operators that the result adds to the model.
	NewOperators []string
	// Interrupted reports that the context ended before everything was tried: an unmet goal proves
	// nothing then.
	Interrupted bool

	search *Search
}

// Fit returns the best model for a goal among those that it finds: with a memory plan, in another
// order, without the operators that compute nothing, tiled, and with in-place outputs. "Best" is as
// [Goal.Compare] says.
//
// An embedded memory plan counts, and another tool's plan stays unless [Goal.Force] is set. The search
// goes on in rounds of increasing work at each level of in-place outputs, the safest first, until ctx ends
// or the best model up to that level meets the budgets and is not tiled. More levels and more time only add
// candidates. Searches for other goals add more: short ones, unless the first rounds miss the budgets.
//
// [Goal.Auto] ends at the first level that is enough.
func Fit(ctx context.Context, m *tflite.Model, g Goal) (*Report, error) {
	s, err := newSearch(ctx, m, &g)
	if err != nil {
		return nil, err
	}
	if g.Auto && g.bounded() && !s.stays() {
		return s.auto(ctx, &g)
	}
	g.LeastHead = g.LeastHead && !g.Auto
	return s.fit(ctx, &g)
}

func (s *Search) fit(ctx context.Context, g *Goal) (*Report, error) {
	s.bound(g)
	if s.stays() {
		return s.finish(ctx, g)
	}
	levels := g.Alias.UpTo()
	if err := s.untiled(ctx, levels); err != nil {
		return nil, err
	}
	within, stop := deadline.Spare(ctx, lastTime)
	s.levels(within, g, fewTimes, func(rules.Alias) bool { return false })
	s.ended = within.Err() != nil
	stop()
	s.settle(ctx, g)
	if g.bounded() && !s.enough(g) && !s.ended {
		if err := s.otherwise(ctx, g); err != nil {
			return nil, err
		}
	}
	return s.finish(ctx, g)
}

// enough reports whether the search may end: the best model meets the goal and is not tiled, or the first one is wanted.
func (s *Search) enough(g *Goal) bool {
	b, _ := s.best(g)
	return g.met(&b.Cost) && (g.first || len(b.Stages) == 0)
}

// bound sets the bound of the required arena that a head budget implies.
func (s *Search) bound(g *Goal) {
	if g.room = 0; g.HeadBudget > 0 {
		g.room = max(s.first.Required, g.Budget)
	}
}

// levels searches for a goal at all of its levels of in-place outputs, the safest first, until one of
// them is enough. Each level begins with the tilings of those below it. If ctx has a deadline, a level
// below the highest gets one of some parts of the remaining time.
func (s *Search) levels(ctx context.Context, g *Goal, parts int, enough func(rules.Alias) bool) {
	levels := g.Alias.UpTo()
	for i, a := range levels {
		share := parts
		switch {
		case i == len(levels)-1:
			share = 1
		case a == rules.NoAlias:
			share = min(share, plainTime)
		}
		within, stop := deadline.Share(ctx, share)
		at := *g
		at.Alias = a
		s.deepen(within, &at)
		stop()
		if enough(a) {
			return
		}
	}
}

// If the highest level is wanted, those below it get one of fewTimes parts of the remaining time each,
// and the one without in-place outputs, which is quick, one of plainTime. If the first level that is
// enough is wanted, each gets one of manyTimes parts.
const fewTimes, plainTime, manyTimes = 32, 8, 4

// The plan of the best candidate gets one of lastTime parts of the time in the end.
const lastTime = 10

// settle plans the best candidate with the most effort, unless that was done.
func (s *Search) settle(ctx context.Context, g *Goal) {
	if _, p := s.best(g); p != nil && p.rounds <= len(s.rounds) {
		p.rounds = len(s.rounds) + 1
		s.each(ctx, []*proposal{p}, func(p *proposal) error { return s.plan(ctx, p, s.most().effort) })
	}
}

// deepen searches for a goal at a level in rounds, until the result is enough.
func (s *Search) deepen(ctx context.Context, g *Goal) {
	s.late = false
	for round := 0; round < s.roundsOf(g) && ctx.Err() == nil && !s.enough(g); round++ {
		s.explore(ctx, g, round)
		if round <= surveyed {
			b, _ := s.best(g)
			s.late = !g.met(&b.Cost)
		}
	}
}

// otherwise adds the results of searches of their own: without budgets, so that a budget is met which the smallest head or a
// point of the trade-off meets, and if that is not enough, without a limit of the overhead. The former do not depend on the
// budgets, the latter not on the permitted overhead.
func (s *Search) otherwise(ctx context.Context, g *Goal) error {
	if err := s.withoutBudgets(ctx, g); err != nil || g.MaxOverhead < 0 {
		return err
	}
	if b, _ := s.best(g); !s.late || g.first && g.met(&b.Cost) {
		return nil
	}
	return s.withoutLimit(ctx, g)
}

// withoutBudgets adds the results for the smallest head, or for the points of the trade-off; if the budgets were met early, those of
// one round without them.
func (s *Search) withoutBudgets(ctx context.Context, g *Goal) error {
	return s.detour(ctx, &s.unbounded, g, func(d *Search, a rules.Alias) error {
		if !s.late {
			d.explore(ctx, &Goal{LeastHead: g.HeadBudget > 0, MaxOverhead: g.MaxOverhead, Alias: a, Device: g.Device}, min(surveyed, d.roundsOf(g)-1))
		} else if g.HeadBudget > 0 {
			d.deepen(ctx, &Goal{LeastHead: true, MaxOverhead: g.MaxOverhead, Alias: a, Device: g.Device, Rounds: g.Rounds})
		} else {
			d.survey(ctx, g, a)
		}
		return nil
	})
}

// withoutLimit adds the results for the same budgets with any overhead.
func (s *Search) withoutLimit(ctx context.Context, g *Goal) error {
	unlimited := *g
	unlimited.MaxOverhead, unlimited.first = -1, true
	return s.detour(ctx, &s.unlimited, &unlimited, func(d *Search, a rules.Alias) error {
		at := unlimited
		at.Alias = a
		if d.deepen(ctx, &at); d.enough(&at) {
			return nil
		}
		return d.otherwise(ctx, &at)
	})
}

// detour is a search of its own, and the levels that it searched to the end. Its goals differ only in their levels.
type detour struct {
	*Search
	completed map[rules.Alias]bool
}

// detour adds the results of a search of its own at the levels of a goal, the safest first, unless ctx has ended. The results
// are copies, since both searches go on with theirs.
func (s *Search) detour(ctx context.Context, d *detour, g *Goal, search func(d *Search, a rules.Alias) error) error {
	if deadline.Err(ctx) != nil {
		return nil
	}
	levels, other := g.Alias.UpTo(), d.Search
	if other == nil {
		var err error
		if other, err = newSearch(ctx, s.own, g); err != nil {
			return err
		}
	}
	if err := other.untiled(ctx, levels); err != nil || deadline.Err(ctx) != nil {
		return err
	}
	if d.Search == nil {
		*d = detour{other, map[rules.Alias]bool{}}
	}
	for _, a := range levels {
		if d.completed[a] || deadline.Err(ctx) != nil {
			continue
		}
		if err := search(other, a); err != nil {
			return err
		}
		d.completed[a] = ctx.Err() == nil
	}
	for _, p := range other.done {
		if !slices.ContainsFunc(s.done, func(q *proposal) bool { return q.best == p.best }) {
			c := *p
			s.add(&c)
		}
	}
	return nil
}

// untiled measures the models that are not tiled, at all levels.
func (s *Search) untiled(ctx context.Context, levels []rules.Alias) error {
	if len(s.graphs) == 0 {
		own, err := s.graph(s.start)
		if err != nil {
			return err
		}
		s.graphs = []*graph{own}
		if err := s.moreGraphs(ctx); err != nil {
			return err
		}
	}
	var list []*proposal
	for _, a := range levels {
		for _, graph := range s.graphs {
			p := &proposal{graph: graph, alias: a}
			var err error
			if p.path, err = s.row(graph, a).Path(nil); err != nil {
				return err
			}
			if s.propose(p) {
				list = append(list, p)
			}
		}
	}
	whole := context.WithoutCancel(ctx) // a plan is always there
	s.each(whole, list, s.build)
	list = slices.DeleteFunc(list, func(p *proposal) bool { return p.known < built })
	s.planAll(whole, list, func(p *proposal) error { return s.plan(ctx, p, s.most().effort) })
	ordered := s.vary(ctx, list, len(s.rounds)-1)
	s.planAll(ctx, ordered, func(p *proposal) error { return s.plan(ctx, p, s.most().effort) })
	for _, p := range append(list, ordered...) {
		if p.best != nil {
			p.rounds = len(s.rounds) + 1
		}
	}
	return nil
}

// best returns the best candidate for a goal, and its proposal, nil for the unmodified model.
func (s *Search) best(g *Goal) (best *Candidate, of *proposal) {
	best = s.first
	if s.dropped != nil {
		best = s.dropped
	}
	for _, a := range g.Alias.UpTo() {
		if p := s.bestAt(g, a); p != nil && g.Compare(&p.best.Cost, &best.Cost) < 0 {
			best, of = p.best, p
		}
	}
	return best, of
}

// result is [Search.best] with its file.
func (s *Search) result(g *Goal) (*Candidate, error) {
	best, of := s.best(g)
	if of == nil {
		return best, nil
	}
	return s.written(of)
}

// finish makes the report.
func (s *Search) finish(ctx context.Context, g *Goal) (*Report, error) {
	s.ended = s.ended || ctx.Err() != nil
	r := &Report{
		Faults: s.faults, OwnMACs: s.macs, Foreign: s.foreign, NotCut: s.notCut, Frontier: s.estimates[g.Alias], Interrupted: s.ended, search: s,
	}
	var err error
	if r.Steps, err = s.steps(g); err != nil {
		return nil, err
	}
	r.Best = len(r.Steps) - 1
	best := &r.Steps[r.Best]
	r.Met, r.Alias = g.met(&best.Cost), g.Alias
	if g.Auto {
		r.Alias = best.Alias
	}
	if g.HeadBudget > 0 && g.Budget == 0 && !r.Met {
		wide := *g
		wide.room = 0
		if c, _ := s.best(&wide); wide.met(&c.Cost) {
			if r.Larger, err = s.result(&wide); err != nil {
				return nil, err
			}
		}
	}
	return r, s.describe(g, r)
}

// steps returns the unmodified model, the steps on the way to the best candidate for a goal, and that
// candidate.
func (s *Search) steps(g *Goal) ([]Candidate, error) {
	list := []Candidate{*s.first}
	if s.dropped != nil {
		list = append(list, *s.dropped)
	}
	best, of := s.best(g)
	if of == nil {
		return list, nil
	}
	last := &list[len(list)-1].Cost
	var steps []*proposal
	step := func(p *proposal) {
		if g.Compare(&p.best.Cost, last) < 0 && g.Compare(&best.Cost, &p.best.Cost) < 0 {
			steps, last = append(steps, p), &p.best.Cost
		}
	}
	for _, p := range s.done {
		if p.alias == rules.NoAlias && len(p.path.Stages) == 0 && (p.graph == s.graphs[0] || p.graph == of.graph) {
			step(p)
		}
	}
	plain := (&proposal{graph: of.graph, alias: rules.NoAlias, path: of.path}).key()
	for _, p := range s.done {
		if p.alias == rules.NoAlias && p.key() == plain {
			step(p)
		}
	}
	for _, p := range append(steps, of) {
		c, err := s.written(p)
		if err != nil {
			return nil, err
		}
		list = append(list, *c)
	}
	return list, nil
}

// step names what a proposal does last.
func (p *proposal) step() string {
	switch {
	case p.best.Takeovers > 0 || p.best.Overlaps > 0:
		return "in-place"
	case len(p.path.Stages) > 0:
		return "tiling"
	case p.graph.substituted() > 0:
		return "substitution"
	case p.graph.separated() > 0:
		return "separation"
	case p.graph.removed() > 0:
		return "clean-up"
	case p.graph.moved > 0:
		return "order"
	}
	return "plan"
}

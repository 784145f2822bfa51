package shrink

import (
	"cmp"
	"context"
	"math"
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/shrink/internal/parts"
)

// listing identifies the lists of tiled runs of a graph at a level, with at most macs extra multiply-accumulates.
type listing struct {
	graph *graph
	alias rules.Alias
	macs  int64
}

// list proposes the undominated ways to tile each graph, in as much detail as a round permits.
func (s *Search) list(ctx context.Context, g *Goal, round int) {
	for _, graph := range s.graphs {
		if graph.replaced {
			continue
		}
		s.listed(ctx, g, listing{graph, g.Alias, s.mostMACs(g)}, round)
	}
}

// mostMACs returns the extra multiply-accumulates that a goal permits.
func (s *Search) mostMACs(g *Goal) int64 {
	if g.MaxOverhead < 0 {
		return math.MaxInt64
	}
	return int64(math.Ceil(g.MaxOverhead * float64(s.macs)))
}

func (s *Search) listed(ctx context.Context, g *Goal, l listing, round int) {
	for known, rounds := range s.lists {
		if known.graph == l.graph && known.alias == l.alias && l.macs <= known.macs && rounds > round {
			return
		}
	}
	most := s.rounds[round].listed
	if g.quick {
		most = s.outlook
	}
	s.lists[l] = round + 1
	row := s.row(l.graph, l.alias)
	s.notCut = cmp.Or(s.notRestored, row.NotCut())
	list := row.List(ctx, s.worthTiling(l.alias), most, l.macs, s.report)
	paths := parts.Frontier(ctx, list, row.Len())
	s.estimates[l.alias] = nil
	for _, p := range paths {
		s.estimates[l.alias] = append(s.estimates[l.alias], Estimate{Head: p.Cost.Peak, Tail: p.Cost.Tail, ExtraMACs: p.Cost.MACs, Stages: p.Stages})
	}
	s.proposePaths(l, paths)
	if s.rounds[round].finer {
		n := min(s.refined, len(paths))
		best := slices.Clone(paths[len(paths)-n:])
		sort.SliceStable(paths, func(i, j int) bool { return l.graph.required(paths[i].Cost) < l.graph.required(paths[j].Cost) })
		best = append(best, paths[:n]...)
		s.proposePaths(l, parts.Frontier(ctx, append(list, row.Refined(ctx, best, l.macs)...), row.Len()))
	}
}

// worthTiling returns the live bytes from which a run of operators is worth tiling at a level: a part of the
// smallest head of the tiled candidates, zero without any.
func (s *Search) worthTiling(a rules.Alias) int64 {
	var least int64
	for _, p := range s.done {
		if p.alias == a && len(p.path.Stages) > 0 && (least == 0 || p.best.Head < least) {
			least = p.best.Head
		}
	}
	return int64(s.worth * float64(least))
}

func (s *Search) proposePaths(l listing, paths []parts.Path) {
	for _, p := range paths {
		s.propose(&proposal{graph: l.graph, alias: l.alias, path: p})
	}
}

// propose queues a proposal, unless it is known.
func (s *Search) propose(p *proposal) bool {
	k := p.key()
	if s.seen[k] {
		return false
	}
	s.seen[k] = true
	s.estimate(p)
	s.queue = append(s.queue, p)
	return true
}

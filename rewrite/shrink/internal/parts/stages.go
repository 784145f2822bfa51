package parts

import (
	"context"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/rewrite/split"
)

// patience is the number of consecutive finer stages without a lower peak after which no finer
// ones are tried.
const patience = 5

// sieve tries stages of a run and keeps the undominated ones, starting with the unmodified operators.
type sieve struct {
	ctx context.Context
	row *Row
	at  span
	*effort
	list []Part
}

// stages returns the undominated stages between two boundaries. When ctx ends it returns those
// found so far.
func (r *Row) stages(ctx context.Context, at span, effort *effort) []Part {
	s := &sieve{ctx: ctx, row: r, at: at, effort: effort, list: []Part{r.asIs(at.from, at.to)}}
	if at.channels > 0 {
		s.alongChannels()
	} else {
		s.alongImage()
	}
	return s.list[1:]
}

func (s *sieve) alongChannels() {
	for _, n := range along {
		if n <= s.at.channels {
			s.stage(split.Stage{Rows: 1, Columns: 1, Channels: n})
		}
	}
}

func (s *sieve) alongImage() {
	for _, carry := range []bool{false, true} {
		s.finer(s.strips, func(n int) split.Stage {
			return split.Stage{Rows: n, Columns: 1, Mode: split.Recompute, Carry: carry}
		})
		s.finer(s.grids, func(n int) split.Stage {
			return split.Stage{Rows: n, Columns: n, Mode: split.Recompute, Carry: carry}
		})
		s.finer(s.uneven, func(n int) split.Stage {
			return split.Stage{Rows: 1, Columns: 1, Tiles: n, Mode: split.Recompute, Carry: carry}
		})
	}
	s.finer(s.strips, func(n int) split.Stage {
		return split.Stage{Rows: n, Columns: 1, Mode: split.Keep}
	})
}

// finer tries increasingly fine stages until one is impossible or too much work, or finer ones no longer help.
func (s *sieve) finer(numbers []int, stage func(n int) split.Stage) {
	least, idle := int64(math.MaxInt64), 0
	for _, n := range numbers {
		peak, ok := s.stage(stage(n))
		if !ok {
			break
		}
		if idle++; peak < least {
			least, idle = peak, 0
		}
		if idle == patience {
			break
		}
	}
}

// stage keeps a stage of the run unless another beats it, and returns its peak in bytes; ok is false if
// the run cannot be computed that way or with so little work, and after ctx has ended.
func (s *sieve) stage(stage split.Stage) (peak int64, ok bool) {
	if deadline.Err(s.ctx) != nil {
		return 0, false
	}
	stage.First, stage.Last = s.at.from, s.at.to-1
	p, err := s.row.tiled(stage)
	if err != nil || p.Cost.MACs > s.macs {
		return 0, false
	}
	if !slices.ContainsFunc(s.list, func(other Part) bool { return other.Cost.Beats(p.Cost) }) {
		s.list = append(s.list, p)
	}
	return p.Cost.Peak, true
}

package fit

import (
	"context"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/split"
)

// operatorFile is about how many bytes of the file an added operator takes.
const operatorFile = 220

// patience is how many finer stages in a row may need as much as a coarser one before no
// finer ones are tried.
const patience = 5

// stages returns the stages between two boundaries that are not dominated by another. When
// ctx ends it returns those that it has.
func (r *row) stages(ctx context.Context, at span, effort *effort) []edge {
	from, to := at.from, at.to
	whole := r.plain(from, to)
	list := []edge{whole}
	base := len(r.model.Subgraphs[0].Tensors)
	try := func(s split.Stage) (peak int64, ok bool) {
		if ctx.Err() != nil {
			return 0, false
		}
		s.Alias = r.alias
		f, err := split.Cut(r.model, s, base)
		if err != nil {
			return 0, false
		}
		e := edge{from: from, to: to, stage: &s, cost: cost{
			macs: f.MACs - f.OwnMACs, tail: r.tail(f, from, to-1),
			file: f.WeightBytes + operatorFile*int64(len(f.Operators)-(to-from)), setup: r.setup(f),
		}}
		e.peak, e.sure = r.peaks(f, base, from, to-1)
		if !slices.ContainsFunc(list, func(other edge) bool { return other.beats(e.cost) }) {
			list = append(list, e)
		}
		return e.peak, true
	}
	if at.channels > 0 {
		for _, n := range along {
			if n <= at.channels {
				try(split.Stage{First: from, Last: to - 1, Rows: 1, Columns: 1, Channels: n})
			}
		}
		return list[1:]
	}
	for _, carry := range []bool{false, true} {
		r.finer(effort.strips, try, func(n int) split.Stage {
			return split.Stage{First: from, Last: to - 1, Rows: n, Columns: 1, Mode: split.Recompute, Carry: carry}
		})
		r.finer(effort.grids, try, func(n int) split.Stage {
			return split.Stage{First: from, Last: to - 1, Rows: n, Columns: n, Mode: split.Recompute, Carry: carry}
		})
	}
	r.finer(effort.strips, try, func(n int) split.Stage {
		return split.Stage{First: from, Last: to - 1, Rows: n, Columns: 1, Mode: split.Keep}
	})
	return list[1:]
}

// finer tries finer and finer stages, until one is fine enough or cannot be, or finer ones
// no longer help.
func (r *row) finer(numbers []int, try func(split.Stage) (peak int64, ok bool), stage func(n int) split.Stage) {
	least, idle := int64(math.MaxInt64), 0
	for _, n := range numbers {
		peak, ok := try(stage(n))
		if !ok || peak <= r.fine {
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

package fit

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/split"
)

// operatorFile is about how many bytes of the file an added operator takes.
const operatorFile = 220

// stages returns the stages between two boundaries that are not dominated by another.
func (r *row) stages(at span, effort *effort) []edge {
	from, to := at.from, at.to
	whole := r.plain(from, to)
	list := []edge{whole}
	base := len(r.model.Subgraphs[0].Tensors)
	try := func(s split.Stage) bool {
		f, err := split.Cut(r.model, s, base)
		if err != nil {
			return false
		}
		e := edge{from: from, to: to, stage: &s, cost: cost{
			macs: f.MACs - f.OwnMACs, tail: r.tail(f, from, to-1),
			file: f.WeightBytes + operatorFile*int64(len(f.Operators)-(to-from)),
		}}
		e.peak, e.sure = r.peaks(f, base, from, to-1)
		if !slices.ContainsFunc(list, func(other edge) bool { return other.beats(e.cost) }) {
			list = append(list, e)
		}
		return true
	}
	if at.channels > 0 {
		for _, n := range along {
			if n <= at.channels {
				try(split.Stage{First: from, Last: to - 1, Rows: 1, Columns: 1, Channels: n})
			}
		}
		return list[1:]
	}
	for _, n := range effort.strips {
		s := split.Stage{First: from, Last: to - 1, Rows: n, Columns: 1, Mode: split.Recompute}
		if !try(s) {
			break
		}
		s.Carry = true
		try(s)
		try(split.Stage{First: from, Last: to - 1, Rows: n, Columns: 1, Mode: split.Keep})
	}
	for _, n := range effort.grids {
		s := split.Stage{First: from, Last: to - 1, Rows: n, Columns: n, Mode: split.Recompute}
		if !try(s) {
			break
		}
		s.Carry = true
		try(s)
	}
	return list[1:]
}

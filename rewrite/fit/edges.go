package fit

import (
	"context"
	"runtime"
	"sync"

	"github.com/tflarena/tflarena/rewrite/split"
)

// An edge is a part of a path: the operators from boundary from to boundary to, as they
// are or as a stage.
type edge struct {
	from, to int
	stage    *split.Stage
	// peak is what the part needs, in bytes; macs and tail are extra
	// multiply-accumulates and extra persistent bytes.
	peak, macs, tail int64
}

// An effort is how finely stages are tried: the numbers of strips, and of rows and columns
// of a grid, and the operators of the longest stage.
type effort struct {
	strips, grids []int
	longest       int
}

// efforts are tried from the first on, until one is not too much work.
var efforts = []effort{
	{[]int{2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56}, []int{2, 3, 4, 5, 6, 7, 8}, 30},
	{[]int{2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 28}, []int{2, 3, 4, 5, 6}, 24},
	{[]int{2, 3, 4, 6, 8, 12, 16}, []int{2, 3, 4}, 16},
	{[]int{2, 4, 8, 16}, []int{2, 4}, 10},
	{[]int{2, 4, 8}, nil, 6},
}

// mostWork is how many operators the fragments of all stages may come to, about: some
// seconds.
const mostWork = 6_000_000

// work returns how many operators the fragments of a stage of n operators come to.
func (e *effort) work(n int) int {
	pieces := 0
	for _, k := range e.strips {
		pieces += 3 * k
	}
	for _, k := range e.grids {
		pieces += 2 * k * k
	}
	return n * pieces
}

// A span is a run of operators between two boundaries.
type span struct{ from, to int }

// spans returns the runs that may be stages and need more than enough bytes, and the
// effort with which they can be tried.
func (r *row) spans(enough int64) ([]span, *effort) {
	bounds := r.boundaries()
	for k := range efforts {
		e := &efforts[k]
		var list []span
		work := 0
		for i, from := range bounds {
			for _, to := range bounds[i+1:] {
				if to-from > e.longest || !r.open(from, to) {
					break
				}
				if r.plain(from, to).peak > enough {
					list = append(list, span{from, to})
					work += e.work(to - from)
				}
			}
		}
		if work <= mostWork || k == len(efforts)-1 {
			return list, e
		}
	}
	return nil, nil
}

// edges returns the parts that paths are made of: stages only of what needs more than
// enough bytes as it is. When ctx ends it returns those that it has.
func (r *row) edges(ctx context.Context, enough int64, report func(done, all int)) []edge {
	bounds := r.boundaries()
	var list []edge
	for k, from := range bounds[:len(bounds)-1] {
		list = append(list, r.plain(from, bounds[k+1]))
	}
	spans, effort := r.spans(max(enough, r.floor()))
	found := make([][]edge, len(spans))
	var next, done int
	var mu sync.Mutex
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for {
				mu.Lock()
				k := next
				next++
				mu.Unlock()
				if k >= len(spans) || ctx.Err() != nil {
					return
				}
				found[k] = r.stages(spans[k], effort)
				mu.Lock()
				done++
				if report != nil {
					report(done, len(spans))
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	for _, edges := range found {
		list = append(list, edges...)
	}
	return list
}

// floor returns the largest breadth of an operator that cannot be cut, in bytes.
func (r *row) floor() (most int64) {
	for i, why := range r.cuttable {
		if why != nil {
			most = max(most, r.breadth[i])
		}
	}
	return most
}

// open reports whether all operators between two boundaries can be part of a stage.
func (r *row) open(from, to int) bool {
	for i := from; i < to; i++ {
		if r.cuttable[i] != nil {
			return false
		}
	}
	return true
}

func (r *row) plain(from, to int) edge {
	e := edge{from: from, to: to}
	for i := from; i < to; i++ {
		e.peak = max(e.peak, r.breadth[i])
	}
	return e
}

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
		e := edge{from: from, to: to, stage: &s, macs: f.MACs - f.OwnMACs}
		e.peak, e.tail = r.peak(f, base, from, to-1), r.tail(f, from, to-1)
		for _, other := range list {
			if other.peak <= e.peak && other.macs <= e.macs && other.tail <= e.tail {
				return true
			}
		}
		list = append(list, e)
		return true
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

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

// cuts are the numbers of strips, and of columns of a grid, that are tried.
var (
	strips = []int{2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56}
	grids  = []int{2, 3, 4, 5, 6, 7, 8}
)

// longestStage bounds the operators of a stage.
const longestStage = 30

// edges returns the parts that paths are made of: stages only of what needs more than
// enough bytes as it is. It stops when ctx ends.
func (r *row) edges(ctx context.Context, enough int64, report func(done, all int)) []edge {
	enough = max(enough, r.floor())
	bounds := r.boundaries()
	var list []edge
	type pair struct{ from, to int }
	var pairs []pair
	for k, from := range bounds {
		if k+1 < len(bounds) {
			list = append(list, r.plain(from, bounds[k+1]))
		}
		for _, to := range bounds[k+1:] {
			if to-from > longestStage || !r.open(from, to) {
				break
			}
			if r.plain(from, to).peak > enough {
				pairs = append(pairs, pair{from, to})
			}
		}
	}
	found := make([][]edge, len(pairs))
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
				if k >= len(pairs) || ctx.Err() != nil {
					return
				}
				found[k] = r.stages(pairs[k].from, pairs[k].to)
				mu.Lock()
				done++
				if report != nil {
					report(done, len(pairs))
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
func (r *row) stages(from, to int) []edge {
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
	for _, n := range strips {
		s := split.Stage{First: from, Last: to - 1, Rows: n, Columns: 1, Mode: split.Recompute}
		if !try(s) {
			break
		}
		s.Carry = true
		try(s)
		try(split.Stage{First: from, Last: to - 1, Rows: n, Columns: 1, Mode: split.Keep})
	}
	for _, n := range grids {
		s := split.Stage{First: from, Last: to - 1, Rows: n, Columns: n, Mode: split.Recompute}
		if !try(s) {
			break
		}
		s.Carry = true
		try(s)
	}
	return list[1:]
}

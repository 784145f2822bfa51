package shrink

import (
	"context"
	"runtime"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/internal/workers"
	"github.com/tflarena/tflarena/rewrite/split"
)

// neighbours proposes the models that differ from a candidate in one tiled run: it begins or ends
// elsewhere, is tiled in another way, is divided, joined with the next one, left out, or added.
func (s *Search) neighbours(ctx context.Context, p *proposal) {
	row := s.row(p.graph, p.alias)
	worth := s.worthTiling(p.alias)
	add := func(first, last int) bool { return row.Own(first, last+1).Peak > worth }
	lists := changes(p.path.Stages, row.Len(), s.longest, add)
	lists = slices.DeleteFunc(lists, func(stages []split.Stage) bool { return s.seen[key(p.graph, p.alias, 0, stages)] })
	made := make([]*proposal, len(lists))
	var wait workers.Group
	n := runtime.GOMAXPROCS(0)
	for k := range n {
		wait.Go(func() {
			for i := k; i < len(lists) && deadline.Err(ctx) == nil; i += n {
				if path, err := row.Path(lists[i]); err == nil {
					made[i] = &proposal{graph: p.graph, alias: p.alias, path: path}
				}
			}
		})
	}
	wait.Wait()
	for _, p := range made {
		if p != nil {
			s.propose(p)
		}
	}
}

// changes returns the lists of stages that differ from a list in a single change. n is the number of
// operators, longest that in a new stage; add reports whether a run of operators, both ends inclusive, may
// become one.
func changes(stages []split.Stage, n, longest int, add func(first, last int) bool) (lists [][]split.Stage) {
	replace := func(i, count int, by ...split.Stage) {
		list := append(slices.Clone(stages[:i]), by...)
		lists = append(lists, append(list, stages[i+count:]...))
	}
	for i, s := range stages {
		low, high := gap(stages, i, n)
		replace(i, 1)
		for _, d := range []int{-2, -1, 1, 2} {
			if t := s; t.First+d >= low && t.First+d <= t.Last {
				t.First += d
				replace(i, 1, t)
			}
			if t := s; t.Last+d <= high && t.Last+d >= t.First {
				t.Last += d
				replace(i, 1, t)
			}
		}
		for _, t := range shapes(s) {
			replace(i, 1, t)
		}
		for k := s.First; k < s.Last; k++ {
			a, b := s, s
			a.Last, b.First = k, k+1
			replace(i, 1, a, b)
		}
		if i+1 == len(stages) {
			continue
		}
		next := stages[i+1]
		a, b := s, next
		a.Last, b.First = next.Last, s.First
		replace(i, 2, a)
		replace(i, 2, b)
		for _, d := range []int{-2, -1, 1, 2} {
			a, b := s, next
			a.Last, b.First = a.Last+d, b.First+d
			if next.First == s.Last+1 && a.Last >= a.First && b.First <= b.Last {
				replace(i, 2, a, b)
			}
		}
	}
	for i := 0; i <= len(stages); i++ {
		low, high := 0, n-1
		if i > 0 {
			low = stages[i-1].Last + 1
		}
		if i < len(stages) {
			high = stages[i].First - 1
		}
		for first := low; first <= high; first++ {
			for last := first; last <= min(high, first+longest-1); last++ {
				if !add(first, last) {
					continue
				}
				for _, t := range []split.Stage{
					{Rows: 2, Columns: 1, Mode: split.Recompute},
					{Rows: 4, Columns: 1, Mode: split.Recompute},
					{Rows: 2, Columns: 1, Mode: split.Recompute, Carry: true},
					{Rows: 3, Columns: 1, Mode: split.Keep},
				} {
					t.First, t.Last = first, last
					replace(i, 0, t)
				}
			}
		}
	}
	return lists
}

// gap returns the operators that a stage may extend to, both inclusive.
func gap(stages []split.Stage, i, n int) (low, high int) {
	high = n - 1
	if i > 0 {
		low = stages[i-1].Last + 1
	}
	if i+1 < len(stages) {
		high = stages[i+1].First - 1
	}
	return low, high
}

// shapes returns other ways to tile the operators of a stage.
func shapes(s split.Stage) (list []split.Stage) {
	base := split.Stage{First: s.First, Last: s.Last, Alias: s.Alias, Rows: 1, Columns: 1, Mode: split.Recompute}
	if s.Channels > 1 {
		for _, n := range near(s.Channels) {
			t := base
			t.Channels = n
			list = append(list, t)
		}
		return slices.DeleteFunc(list, func(t split.Stage) bool { return t == s || t.Channels < 2 })
	}
	if s.Rows > 1 || s.Tiles > 1 {
		for _, d := range []int{-2, -1, 1, 2} {
			t := s
			t.Lean += d
			list = append(list, t)
		}
	}
	tiles := max(s.Tiles, s.Rows*s.Columns)
	root := 1
	for root*root < tiles {
		root++
	}
	for _, carry := range []bool{false, true} {
		for _, n := range append(near(tiles), s.Rows) {
			t := base
			t.Rows, t.Carry = n, carry
			list = append(list, t)
			t = base
			t.Tiles, t.Carry = n, carry
			list = append(list, t)
		}
		for _, d := range [][2]int{{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			t := base
			t.Rows, t.Columns, t.Carry = root+d[0], root+d[1], carry
			list = append(list, t)
			if s.Columns > 1 {
				t.Rows, t.Columns = s.Rows+d[0], s.Columns+d[1]
				list = append(list, t)
			}
		}
	}
	for _, n := range near(max(tiles, 2)) {
		t := base
		t.Rows, t.Mode = n, split.Keep
		list = append(list, t)
	}
	return slices.DeleteFunc(list, func(t split.Stage) bool {
		return t == s || t.Rows < 1 || t.Columns < 1 || t.Tiles < 2 && t.Rows*t.Columns < 2
	})
}

// near returns numbers of tiles near one.
func near(n int) []int { return []int{n - 2, n - 1, n, n + 1, n + 2, n / 2, 3 * n / 2, 2 * n} }

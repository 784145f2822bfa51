package coloring

import (
	"context"
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// maxCells bounds the memory of a search: items summed over cliques, and sizes times cliques.
const maxCells = 1 << 23

// maxEntries bounds the total entries of the vectors that a search keeps.
const maxEntries = 1 << 22

// A search looks for the smallest total.
type search struct {
	sizes
	items   []item
	in      *instance // nil if too large
	meter   meter
	opt     Options
	fitter  *fitter
	floor   []int // lower bound of all solutions
	ceiling []int // upper bound of better solutions
	waiting []*branch
	cuts    []cut
	cores   []*fitter // parts that had no room for some vector
	res     Result
	known   []int64
}

func newSearch(ctx context.Context, intervals []Interval, known []int64, opt Options) *search {
	s := &search{opt: opt, meter: meter{ctx: ctx, max: opt.MaxNodes}, known: slices.Clone(known)}
	s.rank(intervals)
	if known == nil {
		for _, i := range intervals {
			s.known = append(s.known, i.Size)
		}
	}
	for _, size := range s.known {
		s.res.Total += size
	}
	s.in = newInstance(s.items, maxCells)
	if s.in == nil {
		return s
	}
	s.floor = s.in.maxima()
	s.res.Bound = s.total(s.floor)
	return s
}

// rank turns intervals into items, with ranks for sizes.
func (s *search) rank(intervals []Interval) {
	s.bytes = []int64{0}
	for _, i := range intervals {
		s.bytes = append(s.bytes, i.Size)
	}
	slices.Sort(s.bytes)
	s.bytes = slices.Compact(s.bytes)
	s.count = make([]int, len(s.bytes))
	for _, i := range intervals {
		rank, _ := slices.BinarySearch(s.bytes, i.Size)
		s.items = append(s.items, item{i.First, i.Last, rank})
		s.count[rank]++
	}
}

// run searches until the total is proven or a limit is reached.
func (s *search) run() {
	s.extendFloor()
	if min(len(s.floor), len(s.bytes))*len(s.in.cliques) > maxCells {
		return
	}
	s.fitter = newFitter(s.in, &s.meter, s.opt.without)
	s.visitAll()
}

// better reports whether a total between the bound and the best known one is left.
func (s *search) better() bool { return s.in != nil && s.res.Bound < s.res.Total }

func (s *search) result() *Result {
	s.res.Nodes = s.meter.nodes
	s.res.Interrupted = s.meter.interrupted && s.res.Bound < s.res.Total
	return &s.res
}

// extendFloor extends the floor to the largest length of a better vector.
func (s *search) extendFloor() {
	slack := s.res.Total - s.total(s.floor)
	longest := min(int64(len(s.items)), int64(len(s.floor))+slack/s.bytes[1])
	for len(s.floor) < int(longest) {
		s.floor = append(s.floor, 0)
	}
	s.setCeiling()
}

// setCeiling sets the upper bound of better solutions.
func (s *search) setCeiling() {
	s.ceiling = s.within(s.floor, s.res.Total-1-s.total(s.floor))
}

// within returns the smallest vector above all vectors that are above the given one and cost at most
// slack bytes more.
func (s *search) within(vector []int, slack int64) []int {
	top := make([]int, len(vector))
	before := make([]int64, len(vector)+1) // the sum of the entries before each, in bytes
	for k, rank := range vector {
		before[k+1] = before[k] + s.bytes[rank]
	}
	for k := range top {
		tooLarge := sort.Search(len(s.bytes), func(rank int) bool { return s.costs(vector, before, k, rank, slack) })
		top[k] = max(tooLarge-1, 0)
	}
	return top
}

// costs reports whether raising k+1 entries of the vector to at least the rank costs more than slack
// bytes, at least zero.
func (s *search) costs(vector []int, before []int64, k, rank int, slack int64) bool {
	smaller := sort.Search(k+1, func(j int) bool { return vector[j] < rank })
	return smaller <= k && int64(k+1-smaller) > (slack+before[k+1]-before[smaller])/s.bytes[rank]
}

// fits decides a vector, and keeps a better solution.
func (s *search) fits(vector []int, nodes int64) problem.Answer {
	v := s.fitter.decide(vector, nodes)
	if v == problem.Fits {
		s.keep(s.fitter.assign())
	}
	return v
}

func (s *search) keep(objects []int) {
	sizes := make([]int64, len(s.items))
	for i, object := range objects {
		sizes[object] = max(sizes[object], s.bytes[s.items[i].rank])
	}
	var total int64
	for _, size := range sizes {
		total += size
	}
	if total >= s.res.Total {
		return
	}
	s.res.Total = total
	s.setSolution(objects, sizes)
	if s.opt.Better != nil {
		s.opt.Better(total, s.res.Bound)
	}
	s.setCeiling()
}

// setSolution renumbers the objects without empty ones.
func (s *search) setSolution(objects []int, sizes []int64) {
	number := make([]int, len(sizes))
	s.res.Sizes = nil
	for object, size := range sizes {
		if size > 0 {
			number[object] = len(s.res.Sizes)
			s.res.Sizes = append(s.res.Sizes, size)
		}
	}
	s.res.Objects = make([]int, len(objects))
	for i, object := range objects {
		s.res.Objects[i] = number[object]
	}
}

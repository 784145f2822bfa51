package coloring

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// best tries every division of the intervals into objects.
func best(intervals []Interval) int64 {
	least := int64(-1)
	var groups [][]Interval
	var assign func(i int, total int64)
	assign = func(i int, total int64) {
		if least >= 0 && total >= least {
			return
		}
		if i == len(intervals) {
			least = total
			return
		}
		for k := range len(groups) {
			largest, clash := int64(0), false
			for _, j := range groups[k] {
				clash = clash || j.First <= intervals[i].Last && intervals[i].First <= j.Last
				largest = max(largest, j.Size)
			}
			if !clash {
				groups[k] = append(groups[k], intervals[i])
				assign(i+1, total+max(intervals[i].Size-largest, 0))
				groups[k] = groups[k][:len(groups[k])-1]
			}
		}
		groups = append(groups, []Interval{intervals[i]})
		assign(i+1, total+intervals[i].Size)
		groups = groups[:len(groups)-1]
	}
	assign(0, 0)
	return least
}

// contradiction returns one between a result and the intervals, or "".
func contradiction(intervals []Interval, r *Result) string {
	if r.Bound > r.Total {
		return fmt.Sprintf("bound %d above total %d", r.Bound, r.Total)
	}
	if r.Objects == nil {
		return ""
	}
	var total int64
	for _, size := range r.Sizes {
		total += size
	}
	if total != r.Total {
		return fmt.Sprintf("sizes %v sum up to %d, not %d", r.Sizes, total, r.Total)
	}
	for i, a := range intervals {
		if a.Size > r.Sizes[r.Objects[i]] {
			return fmt.Sprintf("interval %d is larger than its object", i)
		}
		for j, b := range intervals[:i] {
			if r.Objects[i] == r.Objects[j] && a.First <= b.Last && b.First <= a.Last {
				return fmt.Sprintf("intervals %d and %d are in one object at one time", i, j)
			}
		}
	}
	return ""
}

// without returns the rules with those of the bits set left out.
func without(bits int) rules {
	on := func(bit int) bool { return bits>>bit&1 == 1 }
	return rules{on(0), on(1), on(2), on(3), on(4), on(5), on(6)}
}

const allRules = 1<<7 - 1

func random(r *rand.Rand, n, positions, length int, size int64) []Interval {
	intervals := make([]Interval, n)
	for i := range intervals {
		first := r.IntN(positions)
		intervals[i] = Interval{first, first + r.IntN(length), 1 + r.Int64N(size)}
	}
	return intervals
}

func check(t testing.TB, intervals []Interval, r *Result, want int64) {
	t.Helper()
	if p := contradiction(intervals, r); p != "" {
		t.Fatalf("%s\n%v", p, intervals)
	}
	if r.Total != want || r.Bound != want || r.Interrupted {
		t.Fatalf("total %d, bound %d, want %d\n%v", r.Total, r.Bound, want, intervals)
	}
}

func TestBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		intervals := random(r, 1+r.IntN(8), 1+r.IntN(8), 1+r.IntN(6), 1+r.Int64N(9))
		for k := range intervals {
			intervals[k].Size += 3
		}
		result := Minimize(context.Background(), intervals, nil, Options{})
		check(t, intervals, result, best(intervals))
		// Again from a solution that needs one byte more, hardly looking for cuts.
		known := slices.Clone(result.Sizes)
		if known == nil {
			continue
		}
		known[r.IntN(len(known))]++
		check(t, intervals, Minimize(context.Background(), intervals, known, Options{patience: 1}), result.Total)
	}
}

var long = flag.Bool("long", false, "compare many more problems with brute force")

// TestBruteForceLonger has problems on which the search has more to do, all sizes
// different.
func TestBruteForceLonger(t *testing.T) {
	problems := 300
	if *long {
		problems = 20000
	}
	r := rand.New(rand.NewPCG(5, 6))
	cuts := int64(0)
	for range problems {
		intervals := random(r, 9+r.IntN(3), 10, 8, 1000)
		result := Minimize(context.Background(), intervals, nil, Options{})
		check(t, intervals, result, best(intervals))
		cuts += result.Cuts
	}
	if cuts < int64(problems)/10 {
		t.Errorf("only %d cuts: the problems are too easy", cuts)
	}
}

// TestRules leaves out each set of rules.
func TestRules(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for k := range 150 {
		intervals := random(r, 8+r.IntN(6), 10, 8, 5+r.Int64N(30))
		want := Minimize(context.Background(), intervals, nil, Options{}).Total
		if len(intervals) < 10 {
			want = best(intervals)
		}
		for bits := range allRules + 1 {
			got := Minimize(context.Background(), intervals, nil, Options{without: without(bits), patience: int64(k % 3)})
			if got.Total != want || contradiction(intervals, got) != "" || !got.Optimal() {
				t.Fatalf("problem %d without %07b: %+v, want %d\n%v", k, bits, got, want, intervals)
			}
		}
	}
}

func TestRapid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		intervals := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Interval {
			first := rapid.IntRange(-3, 12).Draw(t, "first")
			return Interval{first, first + rapid.IntRange(0, 8).Draw(t, "length"), rapid.Int64Range(1, 40).Draw(t, "size")}
		}), 1, 8).Draw(t, "intervals")
		bits := rapid.IntRange(0, allRules).Draw(t, "without")
		patience := rapid.Int64Range(0, 3).Draw(t, "patience")
		got := Minimize(context.Background(), intervals, nil, Options{without: without(bits), patience: patience})
		if p := contradiction(intervals, got); p != "" || got.Total != best(intervals) || !got.Optimal() {
			t.Fatalf("%s: %+v, want %d", p, got, best(intervals))
		}
	})
}

// TestCutsHaveNoRoom decides the cuts of a search again, without any rule and by
// trying everything.
func TestCutsHaveNoRoom(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	cuts := 0
	for range 1000 {
		intervals := random(r, 7+r.IntN(4), 10, 8, 20)
		s := newSearch(context.Background(), intervals, nil, Options{patience: r.Int64N(3)})
		if !s.better() {
			continue
		}
		s.run()
		for _, c := range s.cuts {
			cuts++
			if newFitter(s.in, &s.meter, without(allRules)).decide(c.top, 0) != problem.Misfit || s.hasRoom(c.top) {
				t.Fatalf("there is room in %v\n%v", c.top, intervals)
			}
		}
	}
	if cuts < 20 {
		t.Errorf("only %d cuts: the problems are too easy", cuts)
	}
}

// TestDecide asks for room in any objects.
func TestDecide(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	count := map[problem.Answer]int{}
	for k := range 15_000 {
		intervals := random(r, 6+r.IntN(6), 9, 7, 6)
		s := newSearch(context.Background(), intervals, nil, Options{})
		vector := slices.Clone(s.floor)
		for k := range vector {
			vector[k] = max(vector[k], 1+r.IntN(len(s.bytes)-1))
		}
		slices.SortFunc(vector, func(a, b int) int { return b - a })
		f := newFitter(s.in, &s.meter, without(r.IntN(2)*r.IntN(allRules+1)))
		got := f.decide(vector, 0)
		count[got]++
		if want := s.hasRoom(vector); (got == problem.Fits) != want || got == problem.Unknown {
			t.Fatalf("problem %d: %v has room: %v, decided %v\n%v", k, vector, want, got, intervals)
		}
		if got != problem.Fits {
			continue
		}
		objects := f.assign()
		sizes := make([]int64, len(vector))
		for k, rank := range vector {
			sizes[k] = s.bytes[rank]
		}
		if p := contradiction(intervals, &Result{Objects: objects, Sizes: sizes, Total: s.total(vector), Bound: 0}); p != "" {
			t.Fatalf("problem %d: %s: %v in %v\n%v", k, p, objects, vector, intervals)
		}
	}
	if count[problem.Misfit] < 100 || count[problem.Fits] < 1000 {
		t.Errorf("the problems are too much alike: %v", count)
	}
}

// hasRoom tries every object for every item.
func (s *search) hasRoom(vector []int) bool {
	objects := make([][]item, len(vector))
	var place func(i int) bool
	place = func(i int) bool {
		if i == len(s.items) {
			return true
		}
		it := s.items[i]
		for k, object := range objects {
			clash := vector[k] < it.rank
			for _, other := range object {
				clash = clash || other.from <= it.to && it.from <= other.to
			}
			if clash {
				continue
			}
			objects[k] = append(object, it)
			if place(i + 1) {
				return true
			}
			objects[k] = object
		}
		return false
	}
	return place(0)
}

// TestKnown gives the search a solution and checks whether it proves or improves it.
func TestKnown(t *testing.T) {
	intervals := []Interval{{0, 1, 8}, {1, 2, 4}, {2, 3, 8}, {3, 4, 4}}
	if r := Minimize(context.Background(), intervals, []int64{8, 4}, Options{}); r.Objects != nil || r.Total != 12 || !r.Optimal() {
		t.Errorf("known best: %+v", r)
	}
	totals := []int64{}
	r := Minimize(context.Background(), intervals, []int64{9, 7, 2}, Options{Better: func(total, bound int64) {
		totals = append(totals, total, bound)
	}})
	check(t, intervals, r, 12)
	if len(totals) != 2 || totals[0] != 12 || totals[1] != 12 {
		t.Errorf("told of %v", totals)
	}
	if r := Minimize(context.Background(), nil, nil, Options{}); r.Total != 0 || !r.Optimal() {
		t.Errorf("no intervals: %+v", r)
	}
}

// TestOneMore has a problem whose best solution has one object more than is ever in
// use at once, of the smallest size.
func TestOneMore(t *testing.T) {
	intervals := []Interval{{3, 3, 10}, {3, 5, 4}, {5, 7, 4}, {7, 7, 10}}
	for _, known := range [][]int64{nil, {10, 10}, {11, 4, 4}} {
		check(t, intervals, Minimize(context.Background(), intervals, known, Options{}), 18)
	}
}

// TestFloor compares the first bound with the definition of positional maxima.
func TestFloor(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 500 {
		intervals := random(r, 1+r.IntN(20), 20, 10, 50)
		var want int64
		for k := range intervals {
			var largest int64
			for position := range 30 {
				var alive []int64
				for _, i := range intervals {
					if i.First <= position && position <= i.Last {
						alive = append(alive, -i.Size)
					}
				}
				if slices.Sort(alive); k < len(alive) {
					largest = max(largest, -alive[k])
				}
			}
			want += largest
		}
		if got := newSearch(context.Background(), intervals, nil, Options{}).res.Bound; got != want {
			t.Fatalf("the positional maxima add up to %d, want %d\n%v", got, want, intervals)
		}
	}
}

// TestEnds holds searches that are cut short to what they may say.
func TestEnds(t *testing.T) {
	intervals := random(rand.New(rand.NewPCG(9, 10)), 100, 100, 100, 1e6)
	best := Minimize(context.Background(), intervals, nil, Options{})
	check(t, intervals, best, best.Total)
	over, cancel := context.WithCancel(context.Background())
	cancel()
	r := Minimize(over, intervals, nil, Options{})
	if p := contradiction(intervals, r); p != "" || !r.Interrupted || r.Bound > best.Total || r.Total < best.Total {
		t.Errorf("%s: a context that has ended: total %d, bound %d", p, r.Total, r.Bound)
	}
	last := int64(0)
	for _, nodes := range []int64{1, 100, 1000, 10_000} {
		r := Minimize(context.Background(), intervals, nil, Options{MaxNodes: nodes})
		if p := contradiction(intervals, r); p != "" || r.Interrupted || r.Bound > best.Total || r.Total < best.Total || r.Bound < last {
			t.Errorf("%s: after %d nodes: total %d, bound %d", p, nodes, r.Total, r.Bound)
		}
		if r.Nodes > nodes+int64(len(intervals)) {
			t.Errorf("took %d nodes of %d", r.Nodes, nodes)
		}
		last = r.Bound
	}
}

// TestLargeInput has more intervals alive at once than a search has memory for.
func TestLargeInput(t *testing.T) {
	var intervals []Interval
	for i := range 12000 {
		intervals = append(intervals, Interval{i, i + 3000, int64(1 + i*7919%6007)})
	}
	r := Minimize(context.Background(), intervals, nil, Options{MaxNodes: 1})
	if p := contradiction(intervals, r); p != "" || r.Optimal() {
		t.Errorf("%s: total %d, bound %d", p, r.Total, r.Bound)
	}
}

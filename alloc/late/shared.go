package late

import (
	"cmp"
	"context"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/lifetime"
)

// Waves of shared objects follow these laws. A record in use keeps its object, and an object keeps the
// size that the records before a wave gave it. A wave assigns each known record that has not begun to
// an object that is free while the record is alive. A larger record makes its object grow: it is
// replaced before the record begins, when it holds none. So an object is as large as its largest record,
// and what the objects had to be before a wave is never given back.

// sharedSolver plans shared objects in waves.
type sharedSolver struct {
	records []lifetime.Record
	knownAt []int
	// objects has the object of each record, or none.
	objects     []int
	waves       []Wave
	interrupted bool
}

// none is the object of a record without one: of one that is unknown, or empty.
const none = -1

// solveShared is [Solve] for shared objects.
func solveShared(ctx context.Context, records []lifetime.Record, knownAt []int, opt alloc.Options) (*Result, error) {
	start := time.Now()
	naive := every(none, len(records))
	serve(records, naive)
	r := &Result{RunTime: total(sizes(records, naive))}
	bold := &sharedSolver{records: records, knownAt: knownAt, objects: every(none, len(records))}
	cautious := &sharedSolver{records: records, knownAt: knownAt, objects: slices.Clone(naive)}
	times := timesOf(knownAt)
	share := opt
	share.SearchTime = searchTime(opt, len(times))
	for k, at := range times {
		last := k+1 == len(times)
		for _, s := range []*sharedSolver{bold, cautious} {
			if err := s.wave(ctx, at, s == bold || last, share); err != nil {
				return nil, err
			}
		}
	}
	took := time.Since(start)
	var err error
	if r.AtOnce, err = alloc.Solve(ctx, records, opt); err != nil {
		return nil, err
	}
	r.Cautious = total(sizes(records, cautious.objects))
	better, name := bold, boldName
	if total(sizes(records, bold.objects)) > r.RunTime {
		better, name = cautious, cautiousName
	}
	r.Plan, r.Waves = better.plan(), better.waves
	finish(r, name, better.interrupted || bold.interrupted, took)
	if err := check.Shared(records, r.Plan.Objects, r.Plan.ObjectSizes, r.Plan.Total); err != nil {
		return nil, fault(err)
	}
	return r, nil
}

// plan returns the plan of all waves. Empty records are in the first object.
func (s *sharedSolver) plan() *alloc.Plan {
	p := &alloc.Plan{Approach: alloc.Shared, Objects: slices.Clone(s.objects), ObjectSizes: sizes(s.records, s.objects)}
	for i, o := range p.Objects {
		p.Objects[i] = max(o, 0)
	}
	if len(p.ObjectSizes) == 0 && len(p.Objects) > 0 {
		p.ObjectSizes = []int64{0}
	}
	p.Total = total(p.ObjectSizes)
	return p
}

// wave assigns the records that are known at a position and have not begun, or keeps what they have
// unless it may choose.
func (s *sharedSolver) wave(ctx context.Context, at int, chooses bool, opt alloc.Options) error {
	w := Wave{At: at}
	known := every(none, len(s.records)) // the objects of the known records
	begun := slices.Clone(known)         // and of those that have begun
	later := slices.Clone(known)         // what they were before
	for i, r := range s.records {
		switch {
		case s.knownAt[i] > at:
			continue
		case s.knownAt[i] == at:
			w.Records++
		case r.First < at && r.Last >= at:
			w.Kept++
		}
		if later[i] = s.objects[i]; r.First < at {
			begun[i] = s.objects[i]
		}
	}
	if chooses {
		choice, err := s.choose(ctx, begun, at, opt)
		if err != nil {
			return err
		}
		for i := range s.records {
			if s.knownAt[i] < at && choice[i] != later[i] {
				w.Moved++
			}
			if s.knownAt[i] <= at {
				s.objects[i] = choice[i]
			}
		}
	}
	for i := range s.records {
		if s.knownAt[i] <= at {
			known[i] = s.objects[i]
		}
	}
	w.Total = total(sizes(s.records, known))
	s.waves = append(s.waves, w)
	return nil
}

// choose returns the better of two ways to assign the known records that have not begun: of a strategy, and of
// the allocator at run time. Begun are the objects of the records that have begun.
func (s *sharedSolver) choose(ctx context.Context, begun []int, at int, opt alloc.Options) ([]int, error) {
	held := sizes(s.records, begun)
	until := every(at-1, len(held)) // the last position at which each object is in use
	for i, o := range begun {
		if o != none {
			until[o] = max(until[o], s.records[i].Last)
		}
	}
	// All objects are in use together just before the wave, so that none of them is the same as another.
	var list []lifetime.Record
	var taken, unused []int // the numbers of objects with records that have begun, and of others
	for o, size := range held {
		if size == 0 {
			unused = append(unused, o)
			continue
		}
		list, taken = append(list, lifetime.Record{First: at - 1, Last: until[o], Size: size}), append(taken, o)
	}
	var of []int
	for i, r := range s.records {
		if s.knownAt[i] <= at && r.First >= at && r.Size > 0 {
			list, of = append(list, r), append(of, i)
		}
	}
	plan, err := alloc.Solve(ctx, list, opt)
	if err != nil {
		return nil, err
	}
	s.interrupted = s.interrupted || plan.Interrupted
	number := map[int]int{} // of the plan's objects
	for k, o := range taken {
		number[plan.Objects[k]] = o
	}
	choice, simple := slices.Clone(begun), slices.Clone(begun)
	for k, i := range of {
		object := plan.Objects[len(taken)+k]
		if _, ok := number[object]; !ok && len(unused) > 0 {
			number[object], unused = unused[0], unused[1:]
		} else if !ok {
			number[object] = len(number)
		}
		choice[i] = number[object]
	}
	s.serveKnown(simple, of)
	if total(sizes(s.records, simple)) < total(sizes(s.records, choice)) {
		return simple, nil
	}
	return choice, nil
}

// serveKnown assigns some records as at run time.
func (s *sharedSolver) serveKnown(objects, of []int) {
	records := slices.Clone(s.records)
	wanted := every(false, len(records))
	for _, i := range of {
		wanted[i] = true
	}
	for i := range records {
		if objects[i] == none && !wanted[i] {
			records[i].Size = 0 // not known, or empty
		}
	}
	serve(records, objects)
}

// serve assigns each record without an object as an allocator that does not plan: when it begins, to the
// smallest free object that is large enough, or else to the largest free one, which grows, or to a new one.
func serve(records []lifetime.Record, objects []int) {
	order := make([]int, 0, len(records))
	for i, r := range records {
		if r.Size > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(records[a].First, records[b].First) })
	held := sizes(nil, objects)
	var until []int
	for len(until) < len(held) {
		until = append(until, FromStart)
	}
	for _, i := range order {
		r := records[i]
		o := objects[i]
		if o == none {
			if o = freeObject(held, until, r); o == len(held) {
				held, until = append(held, 0), append(until, FromStart)
			}
			objects[i] = o
		}
		held[o], until[o] = max(held[o], r.Size), max(until[o], r.Last)
	}
}

// freeObject returns the object for a record, or the number of objects for a new one.
func freeObject(held []int64, until []int, r lifetime.Record) int {
	best := len(held)
	for o, size := range held {
		if until[o] >= r.First {
			continue
		}
		fits, bestFits := size >= r.Size, best < len(held) && held[best] >= r.Size
		switch {
		case best == len(held), fits && !bestFits, fits == bestFits && fits && size < held[best], fits == bestFits && !fits && size > held[best]:
			best = o
		}
	}
	return best
}

// sizes returns the size in bytes of each object: that of its largest record, or 0 without records.
func sizes(records []lifetime.Record, objects []int) []int64 {
	list := make([]int64, 0, len(objects))
	for i, o := range objects {
		for o >= len(list) {
			list = append(list, 0)
		}
		if o != none && records != nil {
			list[o] = max(list[o], records[i].Size)
		}
	}
	return list
}

func total(sizes []int64) (sum int64) {
	for _, n := range sizes {
		sum += n
	}
	return sum
}

// every returns count equal values.
func every[T any](x T, count int) []T {
	list := make([]T, count)
	for i := range list {
		list[i] = x
	}
	return list
}

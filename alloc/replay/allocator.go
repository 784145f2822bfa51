package replay

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/replay/pool"
	"github.com/tflarena/tflarena/internal/deadline"
)

// A Place is an offset in the planned memory, in bytes, or an address of the fallback pool.
type Place struct {
	Pooled bool
	Offset int64
}

// ErrPlace is the error of [Allocator.Free] for a place without a block in use.
var ErrPlace = errors.New("no block is in use at that place")

// An Allocator serves memory requests by their order (sections 4.2 and 4.3 of the paper). In the first
// run it only observes, and a pool serves all requests. Afterwards the k-th request of a run gets the
// place planned for it, at the cost of one look-up. A smaller request than planned gets the same
// place. If a run skips requests, the allocator goes on at the next matching request of the plan. A
// larger request than planned causes a new plan around the blocks in use. A request without a match in
// the plan, or whose place is taken, gets the smallest free range of the planned memory, which grows
// if no free range is large enough. Requests that are not hot go to the pool.
//
// After a run with as many requests as planned, the next plan is for the larger sizes and the longer
// lifetimes of both. After a run with another number of requests, the next plan is for that run if its
// peak is higher.
//
// An Allocator is safe for concurrent use. The order of concurrent requests varies from run to run,
// so that more of them go to the pool.
type Allocator struct {
	mu      sync.Mutex
	pool    *pool.Pool
	granule int64
	opt     alloc.Options

	profile []requestProfile
	peak    int64            // of the profile, in bytes
	planned []requestProfile // the profile when it was planned
	offsets []int64
	run     run
	blocks  map[Place]blockInUse
	stats   Stats
}

// requestProfile is the profile of the k-th request of a run.
type requestProfile struct {
	size int64 // the largest one observed
	last int   // the last request before the release; -1 if not released yet
	kept bool  // a block once outlived a run, so that it gets no place
}

// blockInUse is a block. request is its index in this run, and slot its index in the plan; -1 is none.
type blockInUse struct {
	size          int64
	request, slot int
}

// run is the state from one Begin to the next.
type run struct {
	observed []requestProfile
	next     int  // the next request of the plan
	paused   bool // between Interrupt and Resume
	replan   bool // the run did not match the plan
	grown    bool // the plan holds only for the rest of the run
	// overdue are the sizes of blocks in use beyond their plan, which may collide with planned places.
	overdue map[Place]int64
	// placed are the blocks in use that were requested in this run.
	placed   map[Place]bool
	releases map[int][]int // planned requests by the request before which they are released
	// taken are all blocks in the planned memory. It is nil until a request gets no planned place.
	taken *occupied
}

// Stats are the statistics of an [Allocator].
type Stats struct {
	// Requests counts all requests. Of these, Planned got a planned place, Fitted other bytes of the
	// planned memory, and Interrupted came between Interrupt and Resume.
	Requests, Planned, Fitted, Interrupted int
	// Runs counts calls of Begin, and Plans counts plans.
	Runs, Plans int
	// Arena is the size of the planned memory, with its growth since the last plan, and LowerBound a
	// lower bound for the profile, both in bytes.
	Arena, LowerBound int64
	// Reserved is the peak of the planned memory and the pool together, and PoolPeak the peak of the
	// pool, both in bytes.
	Reserved, PoolPeak int64
}

// NewAllocator returns an allocator without a plan. It owns the fallback pool, and rounds sizes up to
// granule bytes.
func NewAllocator(fallback *pool.Pool, granule int64, opt alloc.Options) *Allocator {
	opt.Approach = alloc.Offsets
	a := &Allocator{pool: fallback, granule: max(granule, 1), opt: opt, blocks: map[Place]blockInUse{}}
	a.run.begin(map[Place]int64{})
	return a
}

// begin begins a run with blocks in use that outlived the last one.
func (r *run) begin(late map[Place]int64) {
	*r = run{overdue: late, placed: map[Place]bool{}, releases: map[int][]int{}}
}

// use records a block.
func (a *Allocator) use(place Place, b blockInUse) {
	a.blocks[place] = b
	if b.request >= 0 {
		a.run.placed[place] = true
	}
}

func (a *Allocator) Stats() Stats {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.stats
	s.PoolPeak = a.pool.Peak()
	return s
}

// Interrupt marks the following requests as not hot: the pool serves them, and the profile ignores
// them.
func (a *Allocator) Interrupt() { a.pause(true) }

// Resume marks the following requests as hot.
func (a *Allocator) Resume() { a.pause(false) }

func (a *Allocator) pause(paused bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.run.paused = paused
}

// Alloc returns the place of a block of size bytes. It returns errors of the pool.
func (a *Allocator) Alloc(size int64) (Place, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stats.Requests++
	if a.run.paused {
		a.stats.Interrupted++
		return a.pooled(size, -1)
	}
	request := len(a.run.observed)
	a.run.observed = append(a.run.observed, requestProfile{size: size, last: -1})
	k := a.slot(size)
	if k < 0 {
		k = a.grow(size)
	}
	if k < 0 {
		a.run.replan = true
		return a.fitted(size, request)
	}
	a.overdue(k)
	a.run.next = k + 1
	if a.planned[k].kept {
		return a.pooled(size, request)
	}
	place := Place{Offset: a.offsets[k]}
	if _, taken := a.blocks[place]; taken || a.run.collides(place, size) {
		a.run.replan = true
		return a.fitted(size, request)
	}
	a.stats.Planned++
	a.use(place, blockInUse{size: size, request: request, slot: k})
	a.run.taken.add(place.Offset, size)
	until := a.planned[k].last + 1
	a.run.releases[until] = append(a.run.releases[until], k)
	return place, nil
}

func (a *Allocator) pooled(size int64, request int) (Place, error) {
	address, err := a.pool.Alloc(0, size)
	if err != nil {
		return Place{}, err
	}
	a.stats.Reserved = max(a.stats.Reserved, a.stats.Arena+a.pool.Reserved())
	place := Place{Pooled: true, Offset: address}
	a.use(place, blockInUse{size: size, request: request, slot: -1})
	return place, nil
}

// Free releases a block.
func (a *Allocator) Free(place Place) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	b, ok := a.blocks[place]
	if !ok {
		return fmt.Errorf("%+v: %w", place, ErrPlace)
	}
	delete(a.blocks, place)
	delete(a.run.overdue, place)
	delete(a.run.placed, place)
	if b.request >= 0 {
		a.run.observed[b.request].last = len(a.run.observed) - 1
	}
	if place.Pooled {
		return a.pool.Free(place.Offset)
	}
	a.run.taken.remove(place.Offset)
	return nil
}

// Begin begins a run: a forward pass, or an iteration of training. If the last run did not match the
// plan, Begin makes a new one for the profile. The pool gives back unused segments. It returns the
// errors of [alloc.Solve], and ctx.Err().
func (a *Allocator) Begin(ctx context.Context) error {
	if err := deadline.Err(ctx); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stats.Runs++
	changed := a.run.replan && a.observe()
	renew := changed || a.run.grown
	late := a.run.overdue
	for place := range a.run.placed { // blocks that outlive a run are no part of the next one
		b := a.blocks[place]
		b.request, b.slot = -1, -1
		a.blocks[place] = b
		if !place.Pooled {
			late[place] = b.size
		}
	}
	a.run.begin(late)
	a.pool.GiveBack()
	if !renew {
		return nil
	}
	if err := a.replan(ctx); err != nil {
		a.run.replan, a.run.grown = true, true
		a.planned = nil // a plan grown in one run is invalid in the next
		return err
	}
	return nil
}

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

// A Place is where a block lies: at an offset in bytes of the planned memory, or at an address
// of the fall-back pool.
type Place struct {
	Pooled bool
	Offset int64
}

// ErrPlace is [Allocator.Free]'s error for a place at which no block is in use.
var ErrPlace = errors.New("no block is in use at that place")

// An Allocator answers requests for memory by their order, as the paper does (sections 4.2 and
// 4.3). In its first run it only observes, and a pool has all blocks. From then on the k-th
// request of a run has the place that was planned for it, at no more cost than a look into a
// list. A request for less than was planned is served all the same. Where a run leaves a part
// out, it goes on at the next request of the plan that suits. For a request for more than is
// planned a new plan is made at once, around what is in use. One that nothing in the plan is
// like, and one whose place is still taken, get free bytes of the planned memory, which grows at
// its end where there are not enough side by side. What is not hot goes to the pool.
//
// A run with as many requests as were planned makes the plan better for all of that kind: the next
// plan is for the larger sizes and the longer lives of both. A run with another number of requests
// is the next to be planned if it had more bytes in use at the same time.
//
// An Allocator is safe for concurrent use. The order of requests that come at the same time is
// then no longer the same in each run, so that more of them go to the pool.
type Allocator struct {
	mu      sync.Mutex
	pool    *pool.Pool
	granule int64
	opt     alloc.Options

	profile []want
	peak    int64  // of the profile, in bytes
	planned []want // the profile when it was planned
	offsets []int64
	run     run
	blocks  map[Place]blockInUse
	stats   Stats
}

// want is what is known of the k-th request of a run: how large it was at most, and how many
// requests there were before it was released. Kept says that it outlived a run once, so that it
// has no place.
type want struct {
	size int64
	last int
	kept bool
}

// blockInUse is a block: request is its number in this run, and slot its number in the plan; -1
// where it does not count.
type blockInUse struct {
	size          int64
	request, slot int
}

// run is what happens from one Begin to the next.
type run struct {
	observed []want
	at       int  // the next request of the plan
	paused   bool // between Interrupt and Resume
	renew    bool // the plan is not good any more
	grown    bool // the plan is good for the rest of the run alone
	// late are planned blocks that are in use for longer than planned: their places count.
	late map[Place]int64
	// placed are the blocks that were requested in this run and are in use.
	placed map[Place]bool
	due    map[int][]int // planned requests by the one before which they are released
	// taken are all blocks in the planned memory, from the first one on that has no planned place.
	taken *occupied
}

// Stats count what an [Allocator] did.
type Stats struct {
	// Requests are all requests; Planned of them had a planned place, Fitted had other bytes
	// of the planned memory, and Interrupted came between Interrupt and Resume.
	Requests, Planned, Fitted, Interrupted int
	// Runs counts calls of Begin, Plans how often a plan was made.
	Runs, Plans int
	// Arena is the planned memory, with what it has grown by since it was planned, and
	// LowerBound what no plan for the profile goes below.
	Arena, LowerBound int64
	// Reserved is the most that the planned memory and the pool took together, PoolPeak the
	// most of the pool. All are in bytes.
	Reserved, PoolPeak int64
}

// NewAllocator returns an allocator that has not seen anything. It takes what has no planned
// place from fallback, which nobody else may use, and rounds sizes up to granule bytes.
func NewAllocator(fallback *pool.Pool, granule int64, opt alloc.Options) *Allocator {
	opt.Approach = alloc.Offsets
	a := &Allocator{pool: fallback, granule: max(granule, 1), opt: opt, blocks: map[Place]blockInUse{}}
	a.run.begin(map[Place]int64{})
	return a
}

// begin begins a run in which late blocks are in use already.
func (r *run) begin(late map[Place]int64) {
	*r = run{late: late, placed: map[Place]bool{}, due: map[int][]int{}}
}

// use notes a block.
func (a *Allocator) use(place Place, b blockInUse) {
	a.blocks[place] = b
	if b.request >= 0 {
		a.run.placed[place] = true
	}
}

// Stats returns what was done until now.
func (a *Allocator) Stats() Stats {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.stats
	s.PoolPeak = a.pool.Peak()
	return s
}

// Interrupt says that what follows is not hot: the pool serves it, and nothing is observed.
func (a *Allocator) Interrupt() { a.pause(true) }

// Resume says that what follows is hot again.
func (a *Allocator) Resume() { a.pause(false) }

func (a *Allocator) pause(paused bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.run.paused = paused
}

// Alloc returns the place of a block of size bytes. Its errors are those of the pool.
func (a *Allocator) Alloc(size int64) (Place, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stats.Requests++
	if a.run.paused {
		a.stats.Interrupted++
		return a.pooled(size, -1)
	}
	request := len(a.run.observed)
	a.run.observed = append(a.run.observed, want{size: size, last: -1})
	k := a.slot(size)
	if k < 0 {
		k = a.grow(size)
	}
	if k < 0 {
		a.run.renew = true
		return a.fitted(size, request)
	}
	a.overdue(k)
	a.run.at = k + 1
	if a.planned[k].kept {
		return a.pooled(size, request)
	}
	place := Place{Offset: a.offsets[k]}
	if _, taken := a.blocks[place]; taken || a.run.collides(place, size) {
		a.run.renew = true
		return a.fitted(size, request)
	}
	a.stats.Planned++
	a.use(place, blockInUse{size: size, request: request, slot: k})
	a.run.taken.add(place.Offset, size)
	until := a.planned[k].last + 1
	a.run.due[until] = append(a.run.due[until], k)
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
	delete(a.run.late, place)
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

// Begin begins a run: a forward pass, or an iteration of training. If the last run asked for
// something that the plan does not have, a new one is made of all that was observed. The pool gives
// back what it does not use. Errors are those of [alloc.Solve] and ctx.Err(); the old plan then stays.
func (a *Allocator) Begin(ctx context.Context) error {
	if err := deadline.Err(ctx); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stats.Runs++
	changed := a.run.renew && a.observe()
	renew := changed || a.run.grown
	late := a.run.late
	for place := range a.run.placed { // whatever outlives a run does not belong to the next one
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
		a.run.renew, a.run.grown = true, true
		a.planned = nil // or places for one run would count in the next
		return err
	}
	return nil
}

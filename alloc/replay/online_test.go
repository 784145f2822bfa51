package replay

import (
	"context"
	"math/rand"
	"sync/atomic"
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/alloc/replay/pool"
)

// TestOnline holds each layout of an allocator that does not know the future against the checker,
// and the plan against each of them.
func TestOnline(t *testing.T) {
	better := 0
	for seed := range 60 {
		r := rand.New(rand.NewSource(int64(seed)))
		d := draw(r, 600)
		for i := range d.Events {
			d.Events[i].Size *= 97 << 10 // small blocks and large ones
		}
		p := newProfile(d, 512)
		part := Part{Lives: make([]int, len(p.Lives))}
		for i := range part.Lives {
			part.Lives[i] = i
		}
		records := p.Records(&part)
		plan, err := alloc.Solve(context.Background(), records, alloc.Options{Approach: alloc.Offsets, Strategy: "tflm-greedy"})
		if err != nil {
			t.Fatal(err)
		}
		p.improve(context.Background(), plan, records)
		if plan.Winner != "tflm-greedy" {
			better++
		}
		quick, err := p.Plan(context.Background(), Options{Solve: alloc.Options{Quick: true}})
		if err != nil {
			t.Fatal(err)
		}
		named, err := p.Plan(context.Background(), Options{Solve: alloc.Options{Strategy: "naive"}})
		if err != nil {
			t.Fatal(err)
		}
		if named.Total < quick.Total || named.Parts[0].Winner != "naive" {
			t.Errorf("seed %d: %d bytes by %s, and %d by naive", seed, quick.Total, quick.Parts[0].Winner, named.Total)
		}
		for name, offsets := range map[string][]int64{
			"best": onlineOffsets(records, true), "first": onlineOffsets(records, false), "chainer": p.pooled(pool.NewChainer(0), records),
			"pytorch": p.pooled(pool.NewCaching(false, 0), records), "expandable": p.pooled(pool.NewCaching(true, 0), records),
		} {
			var total int64
			for i, r := range records {
				if r.Size > 0 {
					total = max(total, offsets[i]+r.Size)
				}
			}
			if err := check.Offsets(records, offsets, total); err != nil {
				t.Fatalf("seed %d, %s: %v", seed, name, err)
			}
			if plan.Total > total || quick.Total > total {
				t.Errorf("seed %d: plans have %d and %d bytes, and %s %d", seed, plan.Total, quick.Total, name, total)
			}
		}
	}
	if better == 0 {
		t.Error("no plan was improved")
	}
}

// TestHoles compares with a list of bytes.
func TestHoles(t *testing.T) {
	for seed := range 300 {
		r := rand.New(rand.NewSource(int64(seed)))
		best := seed%2 == 0
		h := newFreeRanges(best)
		var taken [400]bool
		type block struct{ at, size int64 }
		var alive []block
		for range 60 {
			if len(alive) > 0 && r.Intn(2) == 0 {
				k := r.Intn(len(alive))
				h.release(alive[k].at, alive[k].size)
				for i := range alive[k].size {
					taken[alive[k].at+i] = false
				}
				alive = append(alive[:k], alive[k+1:]...)
				continue
			}
			size := 1 + r.Int63n(6)
			end := int64(0)
			for i, t := range taken {
				if t {
					end = int64(i) + 1
				}
			}
			want, room := end, int64(1<<20)
			for at := int64(0); at < end; at++ { // every hole below the end
				n := int64(0)
				for at+n < end && !taken[at+n] {
					n++
				}
				if n >= size && n < room && (best || room == 1<<20) {
					want, room = at, n
				}
				at += n
			}
			got := h.allocate(size)
			if got != want {
				t.Fatalf("seed %d: %d bytes at %d, want %d", seed, size, got, want)
			}
			for i := range size {
				taken[got+i] = true
			}
			alive = append(alive, block{got, size})
		}
	}
}

// TestManyBlocks has a trace that is a stack, for which no strategy has to work.
func TestManyBlocks(t *testing.T) {
	d := device()
	for range manyBlocks/1000 + 1 {
		for n := range uint64(1001) {
			d.Events = append(d.Events, Event{Kind: Alloc, Block: n, Size: int64(n%97) * 100, Stack: -1})
		}
		for n := range uint64(1001) {
			d.Events = append(d.Events, Event{Kind: Free, Block: 1000 - n, Size: int64((1000-n)%97) * 100, Stack: -1})
		}
	}
	p := newProfile(d, 1)
	plan, err := p.Plan(context.Background(), Options{})
	if err != nil || !plan.Optimal || plan.Parts[0].Winner != BestFit || plan.Total != p.Figures().Requested {
		t.Errorf("%d of %d bytes, %v, %v", plan.Total, p.Figures().Requested, plan.Parts[0].Winner, err)
	}
}

// countdown is a context that ends when it has been asked so many times.
type countdown struct {
	context.Context
	left atomic.Int64
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestInterruptedPlan wants that a plan whose search was ended early is not larger than what an allocator
// needs that does not know the future.
func TestInterruptedPlan(t *testing.T) {
	interrupted := 0
	for seed := range int64(40) {
		p := newProfile(drawn(seed, 2000), 1)
		ctx := &countdown{Context: context.Background()}
		ctx.left.Store(seed + 1)
		plan, err := p.Plan(ctx, Options{})
		if err != nil {
			continue // no plan was made in time
		}
		if plan.Parts[0].Interrupted {
			interrupted++
		}
		records := p.Records(&plan.Parts[0])
		var most int64
		for i, offset := range onlineOffsets(records, true) {
			most = max(most, offset+records[i].Size)
		}
		if plan.Total > most {
			t.Errorf("seed %d: %d bytes, and %d by best fit", seed, plan.Total, most)
		}
	}
	if interrupted < 10 {
		t.Errorf("%d plans were interrupted", interrupted)
	}
}

// drawn returns a device with so many events at random.
func drawn(seed int64, events uint64) *Device {
	r, d := rand.New(rand.NewSource(seed)), device()
	var alive []Event
	for n := range events {
		if len(alive) > 0 && r.Intn(2) == 0 {
			k := r.Intn(len(alive))
			d.Events = append(d.Events, Event{Kind: Free, Block: alive[k].Block, Size: alive[k].Size, Stack: -1})
			alive = append(alive[:k], alive[k+1:]...)
			continue
		}
		e := Event{Kind: Alloc, Block: n, Size: 1 + r.Int63n(1<<20), Stack: -1}
		d.Events, alive = append(d.Events, e), append(alive, e)
	}
	return d
}

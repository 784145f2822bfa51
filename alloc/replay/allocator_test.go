package replay

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"sync"
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/replay/pool"
)

func newAllocator() *Allocator {
	return NewAllocator(pool.NewCaching(false, 0), 1, alloc.Options{Quick: true})
}

func begin(t *testing.T, a *Allocator) {
	t.Helper()
	if err := a.Begin(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// TestAllocatorOfPaper runs the same requests three times, then a larger one, then a smaller one.
func TestAllocatorOfPaper(t *testing.T) {
	a := newAllocator()
	for run, size := range []int64{100, 100, 150, 150, 40} {
		begin(t, a)
		for range 3 {
			first, err := a.Alloc(size)
			if err != nil {
				t.Fatal(err)
			}
			a.Interrupt()
			other, _ := a.Alloc(1)
			a.Resume()
			second, _ := a.Alloc(60)
			if !other.Pooled || first.Pooled != (run == 0) || second.Pooled != (run == 0) {
				t.Errorf("run %d: %+v %+v %+v", run, first, other, second)
			}
			for _, p := range []Place{first, other, second} {
				if err := a.Free(p); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	s := a.Stats()
	if s.Plans != 3 || s.Runs != 5 || s.Arena != 210 || s.LowerBound != 210 || s.Requests != 45 || s.Interrupted != 15 || s.Planned != 4*6 {
		t.Errorf("%+v", s)
	}
	if err := a.Free(Place{Offset: 3}); !errors.Is(err, ErrPlace) {
		t.Error(err)
	}
}

// TestAllocatorKeepsBlocksApart makes runs that are like each other, but not the same: no two
// blocks in use may have a common byte, and all planned ones lie within the plan.
func TestAllocatorKeepsBlocksApart(t *testing.T) {
	planned, pooled := 0, 0
	for seed := range 300 {
		r := rand.New(rand.NewSource(int64(seed)))
		a := newAllocator()
		program := draw(r, 60).Events
		type inUse struct {
			Place
			size int64
		}
		alive := map[uint64]inUse{}
		for range 8 {
			begin(t, a)
			for i := range program {
				if r.Intn(60) == 0 {
					k := r.Intn(len(program))
					program[i], program[k] = program[k], program[i] // another order
				}
				if r.Intn(60) == 0 {
					program[i].Size += r.Int63n(9)
				}
				e := program[i]
				b, known := alive[e.Block]
				switch {
				case e.Kind == Free && known:
					if err := a.Free(b.Place); err != nil {
						t.Fatal(err)
					}
					delete(alive, e.Block)
				case e.Kind == Alloc && !known:
					place, err := a.Alloc(e.Size)
					if err != nil {
						t.Fatal(err)
					}
					for _, o := range alive {
						if o.Pooled == place.Pooled && o.Offset < place.Offset+e.Size && place.Offset < o.Offset+o.size {
							t.Fatalf("seed %d: %+v of %d bytes runs into %+v", seed, place, e.Size, o)
						}
					}
					if place.Pooled {
						pooled++
					} else if planned++; place.Offset+e.Size > a.Stats().Arena {
						t.Fatalf("seed %d: %+v of %d bytes is not within %d", seed, place, e.Size, a.Stats().Arena)
					}
					alive[e.Block] = inUse{place, e.Size}
				}
			}
		}
	}
	if planned < 10_000 || pooled < 1000 {
		t.Errorf("%d planned places, %d of the pool", planned, pooled)
	}
}

// TestAllocatorLeavesPlan runs more and larger blocks than were planned: all of them lie in the
// planned memory, which grows by no more than is missing, and the next plan has them.
func TestAllocatorLeavesPlan(t *testing.T) {
	a := newAllocator()
	// step keeps some blocks, like states of a network, and then asks for large ones.
	step := func(kept int, large int64) {
		begin(t, a)
		var places []Place
		for range kept {
			p, err := a.Alloc(100)
			if err != nil {
				t.Fatal(err)
			}
			places = append(places, p)
		}
		for range 2 {
			p, err := a.Alloc(large)
			if err != nil {
				t.Fatal(err)
			}
			places = append(places, p)
		}
		for k := len(places) - 1; k >= 0; k-- {
			if err := a.Free(places[k]); err != nil {
				t.Fatal(err)
			}
		}
	}
	step(10, 5000)
	for _, c := range []struct {
		kept  int
		large int64
		want  int64
	}{{10, 5000, 11_000}, {10, 5500, 12_000}, {14, 5500, 12_400}, {30, 6000, 15_000}, {3, 1000, 15_000}} {
		step(c.kept, c.large)
		if s := a.Stats(); s.Arena != c.want {
			t.Errorf("%d blocks and two of %d: %d bytes are planned, want %d", c.kept, c.large, s.Arena, c.want)
		}
	}
	if s := a.Stats(); s.Fitted == 0 || s.PoolPeak > 25<<20 || s.Reserved > s.PoolPeak {
		t.Errorf("%+v", s)
	}
}

// TestAllocatorAtOnce is for the race detector.
func TestAllocatorAtOnce(t *testing.T) {
	a := newAllocator()
	for range 3 {
		begin(t, a)
		var group sync.WaitGroup
		for range 4 {
			group.Add(1)
			go func() {
				defer group.Done()
				for k := range 50 {
					p, err := a.Alloc(int64(k))
					if err == nil {
						err = a.Free(p)
					}
					if err != nil {
						t.Error(err)
					}
				}
			}()
		}
		group.Wait()
	}
}

// TestServe runs traces whose iterations have other lengths each, as those of a translator.
func TestServe(t *testing.T) {
	words := []string{}
	for _, n := range []int{3, 3, 5, 2, 5, 4} {
		for range n {
			words = append(words, "+a1000", "+b500", "-a", "-b")
		}
		words = append(words, "|")
	}
	d := device(words...)
	p := newProfile(d, 1)
	it := d.iterations()
	a := newAllocator()
	if err := p.Serve(context.Background(), a, it.Ends()); err != nil {
		t.Fatal(err)
	}
	// The first run has three pairs of blocks, and no later one has more bytes in use: additional
	// blocks of the longer ones go to the pool.
	if s := a.Stats(); s.Plans != 1 || s.Runs != 7 || s.Arena != 1500 || s.Planned != 2*(3+3+2+3+3) {
		t.Errorf("%+v", s)
	}
}

func ExampleAllocator() {
	a := NewAllocator(pool.NewCaching(false, 0), 512, alloc.Options{})
	for range 2 {
		if err := a.Begin(context.Background()); err != nil {
			panic(err)
		}
		x, _ := a.Alloc(4096)
		y, _ := a.Alloc(2048)
		fmt.Println(x, y)
		_, _ = a.Free(x), a.Free(y)
	}
	// Output:
	// {true 1099511627776} {true 1099511631872}
	// {false 0} {false 4096}
}

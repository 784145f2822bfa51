package pool

import (
	"errors"
	"flag"
	"fmt"
	"math/rand"
	"testing"
)

var drawn = flag.Int("traces", 10_000, "how many random traces each of the pools is compared with the slow model on")

// sizes are near every limit of the rules.
var sizes = []int64{0, 1, 511, 512, 513, 4 * kib, 500 * kib, mib - 512, mib, mib + 1, 2 * mib, 5 * mib, 10*mib - 1, 10 * mib, 10*mib + 1, 19 * mib, 20 * mib, 33*mib + 5, 100 * mib}

// TestAsSlowModel compares each pool with the slow model, on drawn traces, after every step.
func TestAsSlowModel(t *testing.T) {
	kinds := []string{"caching", "expandable", "chainer"}
	traces := *drawn * len(kinds)
	if testing.Short() {
		traces = 1500
	}
	reused, refused := 0, 0
	for seed := range traces {
		r := rand.New(rand.NewSource(int64(seed)))
		kind := kinds[seed%len(kinds)]
		var limit int64
		if seed%4 == 0 && kind != "expandable" {
			limit = 300 * mib
		}
		p := map[string]func() *Pool{
			"caching": func() *Pool { return NewCaching(false, limit) }, "expandable": func() *Pool { return NewCaching(true, limit) },
			"chainer": func() *Pool { return NewChainer(limit) },
		}[kind]()
		s := &slow{kind: kind, limit: limit}
		type both struct {
			address int64
			handle  int
		}
		var alive []both
		for step := range 20 + r.Intn(100) {
			before := p.Reserved()
			if len(alive) > 0 && r.Intn(5) < 2 {
				k := r.Intn(len(alive))
				if err := p.Free(alive[k].address); err != nil {
					t.Fatal(err)
				}
				s.free(alive[k].handle)
				alive = append(alive[:k], alive[k+1:]...)
			} else {
				size, lane := sizes[r.Intn(len(sizes))], r.Intn(1+seed%2)
				if r.Intn(2) == 0 {
					size = r.Int63n(30 * mib)
				}
				address, err := p.Alloc(lane, size)
				handle, ok := s.alloc(lane, size)
				if ok != (err == nil) {
					t.Fatalf("%s, trace %d, step %d: %v, the slow model: %v", kind, seed, step, err, ok)
				}
				if err != nil {
					refused++
					continue
				}
				if p.Reserved() == before {
					reused++
				}
				alive = append(alive, both{address, handle})
			}
			if p.Reserved() != s.reserved {
				t.Fatalf("%s, trace %d, step %d: %d bytes reserved, the slow model has %d", kind, seed, step, p.Reserved(), s.reserved)
			}
		}
	}
	if reused < traces*10 || refused < traces/10 {
		t.Errorf("only %d blocks of memory that was there, and %d refusals", reused, refused)
	}
}

// TestDocumented has what PyTorch's notes say.
func TestDocumented(t *testing.T) {
	for _, c := range []struct {
		size, reserved, expandable, chainer int64
	}{
		{1, 2 * mib, 2 * mib, 512},
		{mib, 2 * mib, 2 * mib, mib},
		{mib + 1, 20 * mib, 20 * mib, mib + 512},
		{10*mib - 512, 20 * mib, 20 * mib, 10*mib - 512},
		{10 * mib, 10 * mib, 20 * mib, 10 * mib},
		{11*mib + 1, 12 * mib, 20 * mib, 11*mib + 512},
	} {
		for pool, want := range map[*Pool]int64{NewCaching(false, 0): c.reserved, NewCaching(true, 0): c.expandable, NewChainer(0): c.chainer} {
			address, err := pool.Alloc(0, c.size)
			if err != nil || pool.Reserved() != want {
				t.Errorf("%d bytes: %d reserved, want %d (%v)", c.size, pool.Reserved(), want, err)
			}
			if err := pool.Free(address); err != nil || pool.Reserved() != want || pool.Peak() != want {
				t.Errorf("%d bytes are not kept", c.size)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	p := NewCaching(false, 0)
	if err := p.Free(5); !errors.Is(err, ErrNotInUse) {
		t.Error(err)
	}
	for _, size := range []int64{-1, maxSize + 1} {
		if _, err := p.Alloc(0, size); !errors.Is(err, ErrNoMemory) {
			t.Error(size, err)
		}
	}
	e := NewCaching(true, 0)
	var last error
	for lane := 0; lane < 1<<18 && last == nil; lane++ {
		_, last = e.Alloc(lane, 1)
	}
	if !errors.Is(last, ErrNoMemory) {
		t.Error(last)
	}
}

// Example shows why a pool may reserve more than is in use.
func Example() {
	p := NewCaching(false, 0)
	for range 3 {
		_, _ = p.Alloc(0, 9<<20)
	}
	fmt.Println(p.Reserved()>>20, "MiB reserved for 27 MiB in use")
	// Output: 40 MiB reserved for 27 MiB in use
}

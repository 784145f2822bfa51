package replay

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
)

// some returns a profile at random, and some of its lives.
func some(seed int64) (p *Profile, lives []int) {
	r := rand.New(rand.NewSource(seed))
	p = newProfile(draw(r, 300), 1)
	for i := range p.Lives {
		if r.Intn(4) > 0 {
			lives = append(lives, i)
		}
	}
	return p, lives
}

// TestStretches: a plan that is checked in stretches is right exactly where the whole is.
func TestStretches(t *testing.T) {
	right, wrong := 0, 0
	for seed := range int64(1000) {
		p, lives := some(seed)
		records := p.records(lives)
		plan, err := alloc.Solve(t.Context(), records, alloc.Options{Approach: alloc.Offsets, Strategy: "greedy-by-size"})
		if err != nil {
			t.Fatal(err)
		}
		part := &Part{Lives: lives, Offsets: plan.Offsets, Total: plan.Total}
		r := rand.New(rand.NewSource(seed))
		if k := r.Intn(len(lives)); seed%3 > 0 && k > 0 {
			part.Offsets[k] = part.Offsets[r.Intn(k)] // often of one that ends as this one begins
		}
		if seed%11 == 0 {
			part.Total++
		}
		whole := check.Offsets(records, part.Offsets, part.Total)
		if whole == nil {
			right++
		} else {
			wrong++
		}
		for _, atOnce := range []int{1, 2, 7, 50, 1 << 20} {
			if err := p.check(part, atOnce); (err == nil) != (whole == nil) {
				t.Errorf("seed %d, %d blocks at once: %v, and the whole: %v", seed, atOnce, err, whole)
			}
		}
	}
	if right < 50 || wrong < 50 {
		t.Errorf("%d plans are right and %d wrong: too few to tell", right, wrong)
	}
}

// TestSequences: lives begin and end in the order in which their records do.
func TestSequences(t *testing.T) {
	for seed := range int64(200) {
		p, lives := some(seed)
		said := func(blocks sequence) (list []string) {
			blocks(func(n int) { list = append(list, fmt.Sprint("begin ", n)) }, func(n int) { list = append(list, fmt.Sprint("end ", n)) })
			return list
		}
		if got, want := said(p.eventOrder(lives)), said(eventOrder(p.records(lives))); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("seed %d:\n%v, want\n%v", seed, got, want)
		}
	}
}

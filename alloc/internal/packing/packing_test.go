package packing

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tflarena/tflarena/alloc/internal/problem"
)

var seed = flag.Uint64("seed", 7, "which random problems they are")

var problems = flag.Int("problems", 3000, "how many random problems are compared with brute force")

// random returns a small problem: intervals, sometimes with a hole, alignments and
// pinned items.
func random(r *rand.Rand, most int) (items []Item, sections int) {
	sections = 1 + r.IntN(5)
	aligned, pinned, holes := r.IntN(3) == 0, r.IntN(3) == 0, r.IntN(3) == 0
	for i := range 1 + r.IntN(most) {
		if i > 0 && r.IntN(4) == 0 { // a twin
			items = append(items, items[r.IntN(i)])
			items[i].Row = i
			continue
		}
		first := r.IntN(sections)
		last := min(first+r.IntN(3), sections-1)
		it := Item{Spans: []Span{{int32(first), int32(last)}}, Size: 1 + r.Int64N(4), Align: 1, Width: int64(last - first + 1), Row: i}
		if holes && last-first == 2 && r.IntN(2) == 0 {
			it.Spans = []Span{{int32(first), int32(first)}, {int32(last), int32(last)}}
		}
		if aligned {
			it.Align = 1 + r.Int64N(3)
		}
		if pinned && r.IntN(3) == 0 {
			it.Pinned, it.Offset = true, it.Align*r.Int64N(3)
		}
		items = append(items, it)
	}
	return items, sections
}

func collide(a, b Item, x, y int64) bool {
	if x >= y+b.Size || y >= x+a.Size {
		return false
	}
	for _, s := range a.Spans {
		for _, t := range b.Spans {
			if s.First <= t.Last && t.First <= s.Last {
				return true
			}
		}
	}
	return false
}

// fits tries all offsets of all items.
func fits(items []Item, offsets []int64, capacity int64) bool {
	k := len(offsets)
	if k == len(items) {
		return true
	}
next:
	for x := int64(0); x+items[k].Size <= capacity; x += items[k].Align {
		if items[k].Pinned && x != items[k].Offset {
			continue
		}
		for j, y := range offsets {
			if collide(items[k], items[j], x, y) {
				continue next
			}
		}
		if fits(items, append(offsets, x), capacity) {
			return true
		}
	}
	return false
}

// wrong returns the fault of offsets, or "".
func wrong(items []Item, offsets []int64, capacity int64) string {
	for i, it := range items {
		switch {
		case offsets[i] < 0 || offsets[i]+it.Size > capacity || offsets[i]%it.Align != 0:
			return fmt.Sprintf("item %d at %d", i, offsets[i])
		case it.Pinned && offsets[i] != it.Offset:
			return fmt.Sprintf("pinned item %d at %d", i, offsets[i])
		}
		for j := range i {
			if collide(it, items[j], offsets[i], offsets[j]) {
				return fmt.Sprintf("items %d and %d at %d and %d", i, j, offsets[i], offsets[j])
			}
		}
	}
	return ""
}

// without returns the search with rules switched off by the bits of a number.
func without(bits int) Without {
	return Without{bits&1 != 0, bits&2 != 0, bits&4 != 0, bits&8 != 0, bits&16 != 0, bits&32 != 0}
}

// Whatever rules are off, the search agrees with trying all offsets.
func TestBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(7, *seed))
	answers := map[problem.Answer]int{}
	for n := range *problems {
		items, sections := random(r, 8)
		p := New(items, sections)
		capacity := 1 + r.Int64N(12)
		want := problem.Misfit
		if fits(items, nil, capacity) {
			want = problem.Fits
		}
		answers[want]++
		// The pinned items of a caller do not collide.
		var pins []Item
		var at []int64
		for _, it := range items {
			if it.Pinned {
				pins, at = append(pins, it), append(at, it.Offset)
			}
		}
		if wrong(pins, at, 1000) != "" {
			continue
		}
		for bits := range 64 {
			keys := []string{"WAT", "TAW", "TWA", "waT"}[(n+bits)%4]
			got, offsets := NewSearch(p, without(bits)).Run(context.Background(), capacity, Order{Keys: keys, Noise: 0.3, Seed: uint64(n)}, Limits{})
			if got != want {
				t.Fatalf("problem %d without %+v: %d, want %d\ncapacity %d, %+v", n, without(bits), got, want, capacity, items)
			}
			if got == problem.Fits {
				if text := wrong(items, offsets, capacity); text != "" {
					t.Fatalf("problem %d without %+v: %s\ncapacity %d, %+v", n, without(bits), text, capacity, items)
				}
			}
		}
	}
	if answers[problem.Fits] < *problems/5 || answers[problem.Misfit] < *problems/5 {
		t.Fatalf("one-sided: %v", answers)
	}
}

// tight returns problems cut from a full rectangle, in which everything fits without
// waste at a capacity, and almost never below.
func tight(r *rand.Rand, count int) (items []Item, sections int, capacity int64) {
	type box struct{ first, last, lo, hi int }
	boxes := []box{{0, 11, 0, 24}}
	for len(boxes) < count {
		k := r.IntN(len(boxes))
		b := boxes[k]
		switch {
		case r.IntN(2) == 0 && b.last > b.first:
			cut := b.first + r.IntN(b.last-b.first)
			boxes[k].last = cut
			boxes = append(boxes, box{cut + 1, b.last, b.lo, b.hi})
		case b.hi-b.lo > 1:
			cut := b.lo + 1 + r.IntN(b.hi-b.lo-1)
			boxes[k].hi = cut
			boxes = append(boxes, box{b.first, b.last, cut, b.hi})
		}
	}
	r.Shuffle(len(boxes), func(i, j int) { boxes[i], boxes[j] = boxes[j], boxes[i] })
	for i, b := range boxes {
		items = append(items, Item{Spans: []Span{{int32(b.first), int32(b.last)}}, Size: int64(b.hi - b.lo), Align: 1, Width: int64(b.last - b.first + 1), Row: i})
	}
	return items, 12, 24
}

// On larger problems all combinations agree with each other, where they have an answer,
// and find what is known to exist.
func TestCombinations(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	decided := 0
	for n := range *problems / 50 {
		items, sections, full := tight(r, 10+r.IntN(16))
		if n%2 == 1 { // one more item, for which there may be no room
			items = append(items, Item{Spans: []Span{{2, 3}}, Size: 1, Align: 1, Width: 2, Row: len(items)})
			full++
			items[0].Size += r.Int64N(3)
		}
		p := New(items, sections)
		known := problem.Unknown
		if n%2 == 0 {
			known = problem.Fits
		}
		for bits := range 64 {
			got, offsets := NewSearch(p, without(bits)).Run(context.Background(), full, Order{Keys: "WAT"}, Limits{Nodes: 3000})
			if got == problem.Fits {
				if text := wrong(items, offsets, full); text != "" {
					t.Fatalf("problem %d without %+v: %s", n, without(bits), text)
				}
			}
			if got != problem.Unknown {
				decided++
			}
			if known == problem.Unknown {
				known = got
			}
			if got != problem.Unknown && got != known {
				t.Fatalf("problem %d without %+v: %d, and %d before\n%+v", n, without(bits), got, known, items)
			}
		}
	}
	if decided < *problems/50*16 {
		t.Fatalf("only %d decided", decided)
	}
}

// The same run gives the same offsets; a search that stops says so.
func TestRunAgain(t *testing.T) {
	items, sections, capacity := tight(rand.New(rand.NewPCG(1, 2)), 30)
	p := New(items, sections)
	s := NewSearch(p, Without{})
	order := Order{Keys: "TAW", Noise: 0.2, Seed: 5}
	first, a := s.Run(context.Background(), capacity, order, Limits{Nodes: 100000})
	a = append([]int64(nil), a...)
	second, b := s.Run(context.Background(), capacity, order, Limits{Nodes: 100000})
	if first != second || fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("%d then %d:\n%v\n%v", first, second, a, b)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got, _ := NewSearch(p, Without{Jumps: true, Memory: true, Sections: true, Dominance: true}).Run(ctx, capacity-1, order, Limits{}); got == problem.Fits {
		t.Error("fits where there is no room")
	}
	if got, _ := NewSearch(p, Without{}).Run(context.Background(), capacity, order, Limits{Nodes: 1}); got != problem.Unknown {
		t.Errorf("%d after one node", got)
	}
}

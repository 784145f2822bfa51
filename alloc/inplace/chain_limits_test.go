package inplace

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/testkit/expiry"
	"github.com/tflarena/tflarena/lifetime"
)

// hard returns a problem of links that are hard to plan within the bound.
func hard(seed uint64, links, beside int) (p problem) {
	r := rand.New(rand.NewPCG(seed, 1))
	for k := range links {
		begin := k * 12
		p.records = append(p.records, lifetime.Record{First: begin, Last: begin + 12, Size: 100 + r.Int64N(400)})
		for range beside {
			first := begin + r.IntN(12)
			p.records = append(p.records, lifetime.Record{First: first, Last: min(first+r.IntN(6), begin+11), Size: 50 + r.Int64N(900)})
		}
	}
	for i, r := range p.records {
		for j, s := range p.records[:i] {
			if r.Last == s.First || s.Last == r.First {
				p.takeovers = append(p.takeovers, lifetime.Takeover{From: i, To: j})
			}
		}
	}
	return p
}

// TestEndedContextOfChains: without time nothing is found, and nothing wrong.
func TestEndedContextOfChains(t *testing.T) {
	ctx := expiry.New(0)
	p := hard(1, 4, 30)
	c := p.chain(t)
	if offsets, ok := c.Fit(ctx, 1<<20, 0); ok {
		t.Errorf("found %v", offsets)
	}
	if _, offsets, ok := c.Least(ctx, 1<<20, 0, 0); ok {
		t.Errorf("found %v", offsets)
	}
	for _, offsets := range c.links[0].Free(ctx, 1<<20, 0) {
		if offsets != nil {
			t.Errorf("found %v", offsets)
		}
	}
	if ctx.After() > late {
		t.Errorf("looked %d times for the end", ctx.After())
	}
}

// late is how often a search may look again at a context that has ended.
const late = 100

// TestContextEndsMeanwhile: where any number of nodes may be searched, the context ends that,
// and what was found until then is right.
func TestContextEndsMeanwhile(t *testing.T) {
	for seed := range uint64(3) {
		p := hard(seed, 3, 40)
		c := p.chain(t)
		for looks := 0; looks < 3000; looks = 2*looks + 1 {
			ctx := expiry.New(looks)
			total, offsets, ok := c.Least(ctx, 1<<30, 0, 0)
			if ctx.After() > late {
				t.Errorf("after %d looks: looked %d times more", looks, ctx.After())
			}
			if end, _, err := p.confirm(offsets); ok && (err != nil || end != total) {
				t.Errorf("after %d looks: %d bytes, which end at %d: %v", looks, total, end, err)
			}
		}
	}
}

// TestSameOnEveryMachine: the number of processors makes no difference.
func TestSameOnEveryMachine(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for seed := range uint64(4) {
		p := hard(seed, 3, 10)
		var want []int64
		for _, processors := range []int{1, 4, 4} {
			runtime.GOMAXPROCS(processors)
			_, offsets, ok := p.chain(t).Least(t.Context(), 1<<30, 200, 0)
			if want == nil {
				want = offsets
			}
			if !ok || !slices.Equal(offsets, want) {
				t.Errorf("problem %d with %d processors: %v, want %v", seed, processors, offsets, want)
			}
		}
	}
}

// TestInvalid: invalid records are errors.
func TestInvalid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawnChain(t)
		r := &p.records[rapid.IntRange(0, len(p.records)-1).Draw(t, "record")]
		switch rapid.IntRange(0, 5).Draw(t, "fault") {
		case 0:
			r.Last = r.First - 1
		case 1:
			r.Size = -1
		case 2:
			r.Align = -1
		case 3:
			r.Size = math.MaxInt64
		case 4:
			r.Last = math.MaxInt
		case 5:
			r.Gaps = []lifetime.Gap{{First: r.First, Last: r.Last, Lo: 0, Hi: r.Size + 1}}
		}
		if c, err := NewChain(p.records, p.takeovers, nil); err == nil || c != nil {
			t.Fatalf("%v of %+v", err, r)
		}
	})
}

// TestSmallAndLarge: there is a plan within the bound, and none below it.
func TestSmallAndLarge(t *testing.T) {
	const first, last = math.MinInt + 1, math.MaxInt - 1
	for name, test := range map[string]struct {
		records []lifetime.Record
		links   int
		bound   int64
	}{
		"none":            {nil, 0, 0},
		"empty ones":      {[]lifetime.Record{{First: -1, Last: 3}, {First: 2, Last: 3, Align: 16}}, 0, 0},
		"one":             {[]lifetime.Record{{First: 3, Last: 3, Size: 5}}, 1, 5},
		"before the run":  {[]lifetime.Record{{First: -1, Last: -1, Size: 5}, {First: -1, Last: 0, Size: 2}, {First: 0, Last: 1, Size: 4}}, 3, 7},
		"of all time":     {[]lifetime.Record{{First: first, Last: last, Size: 5}, {First: 0, Last: 1, Size: 4}, {First: last, Last: last, Size: 3}}, 2, 9},
		"far apart":       {[]lifetime.Record{{First: first, Last: first, Size: 5}, {First: last, Last: last, Size: 8}}, 2, 8},
		"empty beside":    {[]lifetime.Record{{First: 0, Last: 9, Size: 0}, {First: 0, Last: 1, Size: 4}, {First: 1, Last: 2, Size: 4}}, 2, 8},
		"as large as can": {[]lifetime.Record{{First: 0, Last: 1, Size: lifetime.MaxTotal / 2}, {First: 1, Last: 2, Size: lifetime.MaxTotal/2 - 2}}, 2, lifetime.MaxTotal - 2},
	} {
		p := problem{records: test.records}
		c := p.chain(t)
		offsets, ok := c.Fit(t.Context(), test.bound, testNodes)
		if total, _, err := p.confirm(offsets); !ok || err != nil || total != test.bound || c.Bound() != test.bound || c.Links() != test.links {
			t.Errorf("%s: %t, %d bytes of %d in %d links: %v", name, ok, total, c.Bound(), c.Links(), err)
		}
		if _, ok := c.Fit(t.Context(), test.bound-1, testNodes); ok {
			t.Errorf("%s: found a plan below the bound", name)
		}
		if total, offsets, ok := c.Least(t.Context(), math.MaxInt64, testNodes, 0); !ok || total != test.bound || len(offsets) != len(test.records) {
			t.Errorf("%s: %t, %d bytes", name, ok, total)
		}
		if total, _, ok := c.Least(t.Context(), test.bound, testNodes, 0); ok {
			t.Errorf("%s: %d bytes are below %d", name, total, test.bound)
		}
	}
}

// TestEmptyLink: a link of nothing is planned in nothing.
func TestEmptyLink(t *testing.T) {
	l := NewLink(nil, nil, nil, nil, nil)
	offsets, ok := l.Fit(t.Context(), 0, testNodes, nil, Anywhere)
	if !ok || len(offsets) > 0 || l.Bound() != 0 || len(l.Out(offsets)) > 0 || len(l.Outs(0)) > 0 {
		t.Errorf("%t, %v, bound %d", ok, offsets, l.Bound())
	}
}

// TestPinnedIsRefused: a chain has places of its own for what is handed on.
func TestPinnedIsRefused(t *testing.T) {
	for _, records := range [][]lifetime.Record{
		{{First: 0, Last: 1, Size: 8}, {First: 1, Last: 2, Size: 8, Pinned: true, Offset: 8}, {First: 2, Last: 3, Size: 8}},
		{{First: 0, Last: 1, Size: 8}, {First: 1, Last: 1, Pinned: true, Offset: 8}},
	} {
		if _, err := NewChain(records, nil, nil); err == nil {
			t.Errorf("%+v are taken", records)
		}
	}
}

// TestPinnedStaysInALink: a large link is not cut where a pinned record is alive, since that has no other place.
func TestPinnedStaysInALink(t *testing.T) {
	p := problem{records: []lifetime.Record{
		{First: 0, Last: 0, Size: 8},
		{First: 0, Last: 9, Size: 8},
		{First: 2, Last: 9, Size: 8, Pinned: true, Offset: 8},
		{First: 2, Last: 2, Size: 8},
		{First: 3, Last: 9, Size: 8},
	}}
	c := p.chain(t)
	offsets, ok := c.Fit(t.Context(), 24, testNodes)
	if _, _, err := p.confirm(offsets); !ok || err != nil || c.Links() != 2 || c.finer(1) != nil {
		t.Errorf("%t, %v in %d links: %v", ok, offsets, c.Links(), err)
	}
}

// TestManyLinks: a long chain without a hard link is planned, and cut in no time.
func TestManyLinks(t *testing.T) {
	var records []lifetime.Record
	for i := range 10_000 {
		records = append(records, lifetime.Record{First: i, Last: i + 1, Size: 8})
	}
	c, err := NewChain(records, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if offsets, ok := c.Fit(t.Context(), 16, 10); !ok || len(offsets) != len(records) {
		t.Errorf("%d links do not fit", c.Links())
	}
}

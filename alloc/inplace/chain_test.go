package inplace

import (
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/lifetime"
)

const testNodes = 500

// TestFit: whatever is found is a right plan of all records within the limit, and not below
// the bound; and below that nothing is found.
func TestFit(t *testing.T) {
	found, linked, several, taken := 0, 0, 0, 0
	property.Until(t, func() bool { return found > 0 && linked > 0 && several > 0 && taken > 0 }, func(t *rapid.T) {
		p := drawnChain(t)
		c := p.chain(t)
		limit := c.Bound() + rapid.Int64Range(-2, 8).Draw(t, "more")
		offsets, ok := c.Fit(t.Context(), limit, testNodes)
		switch {
		case !ok:
			return
		case limit < c.Bound():
			t.Fatalf("found a plan within %d bytes below the bound %d", limit, c.Bound())
		}
		total, shared, err := p.confirm(offsets)
		if err != nil || total > limit || total < c.Bound() {
			t.Fatalf("%d bytes, bound %d, limit %d: %v", total, c.Bound(), limit, err)
		}
		found++
		if c.Links() > 1 && len(shared) > 1 {
			linked++
		}
		if p.many > 0 && slices.ContainsFunc(c.links, func(l *part) bool { return len(l.in) > 1 }) {
			several++
		}
		taken += len(shared)
	})
}

// TestMemo: with a memo that other problems and limits have used, the offsets are the same.
func TestMemo(t *testing.T) {
	memo, found := NewMemo(), 0
	property.Until(t, func() bool { return found > 20 }, func(t *rapid.T) {
		p := drawnChain(t)
		plain, other := p.chain(t), p.chain(t)
		other.Remember(memo)
		for more := int64(-1); more < 6; more++ {
			want, ok := plain.Fit(t.Context(), plain.Bound()+more, testNodes)
			for range 2 {
				got, same := other.Fit(t.Context(), other.Bound()+more, testNodes)
				if same != ok || !slices.Equal(got, want) {
					t.Fatalf("%v %t with a memo, %v %t without", got, same, want, ok)
				}
			}
			if ok {
				found++
			}
		}
	})
	if len(memo.known) == 0 {
		t.Fatal("nothing is remembered")
	}
}

// TestLeast: the total is that of the offsets, which are valid, below the known total and not below the
// bound. With an endless resolution it is the least total that the bound and the alignments permit. Without a result, no plan within the bound exists.
func TestLeast(t *testing.T) {
	better, none := 0, 0
	property.Until(t, func() bool { return better > 0 && none > 0 }, func(t *rapid.T) {
		p := drawnChain(t)
		c := p.chain(t)
		known := c.Bound() + rapid.Int64Range(-1, 12).Draw(t, "known")
		total, offsets, ok := c.Least(t.Context(), known, testNodes, 0)
		if ok && c.Total(offsets) != total {
			t.Fatalf("the offsets end at %d, not at %d", c.Total(offsets), total)
		}
		const endless = 1 << 40
		if bound, _, found := c.Least(t.Context(), known, testNodes, endless); found && bound != integer.RoundUp(c.Bound(), c.step()) || found && !ok {
			t.Fatalf("%d bytes with an endless resolution, but the bound is %d in steps of %d", bound, c.Bound(), c.step())
		}
		if !ok {
			none++
			if _, fits := c.Fit(t.Context(), c.Bound(), testNodes); fits && c.Bound() < known {
				t.Fatalf("missed a plan of %d bytes, which is below %d", c.Bound(), known)
			}
			return
		}
		better++
		if end, _, err := p.confirm(offsets); err != nil || end != total || total >= known || total < c.Bound() {
			t.Fatalf("%d bytes, which end at %d, known %d, bound %d: %v", total, end, known, c.Bound(), err)
		}
	})
}

// TestPingPong: where two ends of the arena are enough for what is handed on, and what else is
// alive finds place between them, the chain is planned within the bound.
func TestPingPong(t *testing.T) {
	reached := 0
	property.Until(t, func() bool { return reached >= 10 }, func(t *rapid.T) {
		var p problem
		align := rapid.SampledFrom([]int64{1, 16}).Draw(t, "align")
		size := func() int64 { return align * rapid.Int64Range(1, 40).Draw(t, "size") }
		for i := range rapid.IntRange(1, 40).Draw(t, "links") {
			p.records = append(p.records, lifetime.Record{First: i, Last: i + 1, Size: size(), Align: align})
			for range rapid.IntRange(0, 2).Draw(t, "beside") {
				p.records = append(p.records, lifetime.Record{First: i, Last: i, Size: size(), Align: align})
			}
		}
		c, err := NewChain(p.records, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		offsets, ok := c.Fit(t.Context(), c.Bound(), testNodes)
		if total, _, err := p.confirm(offsets); !ok || err != nil || total != lifetime.MaxBreadth(p.records) {
			t.Fatalf("%t, %d bytes of %d: %v", ok, total, lifetime.MaxBreadth(p.records), err)
		}
		reached = max(reached, c.Links())
	})
}

// TestBesideAnother: a tensor that is alive all the time, such as the skip tensor of a U-shaped network, does not keep
// the others from being planned part by part, and plans get no larger by that.
func TestBesideAnother(t *testing.T) {
	for seed := range uint64(3) {
		const links = 40
		p := hard(seed, links, 8)
		p.records = append(p.records, lifetime.Record{First: -1, Last: -1, Size: 8}, lifetime.Record{First: -1, Last: 12 * links, Size: 640})
		c := p.chain(t)
		whole, _, _ := c.Least(t.Context(), 1<<20, testNodes, 16)
		fine := c.finer(64)
		total, offsets, ok := fine.Least(t.Context(), 1<<20, testNodes, 16)
		end, _, err := p.confirm(offsets)
		if !ok || err != nil || end != total || total > whole || total < fine.Bound() || fine.Links() < links {
			t.Errorf("%t, %d bytes, bound %d, in %d links, %d in %d: %v", ok, total, fine.Bound(), fine.Links(), whole, c.Links(), err)
		}
	}
}

// TestInPlace: a chain of in-place operators takes the memory of one tensor.
func TestInPlace(t *testing.T) {
	var p problem
	for i := range 200 {
		p.records = append(p.records, lifetime.Record{First: i, Last: i + 1, Size: 48, Align: 16})
		if i > 0 {
			p.takeovers = append(p.takeovers, lifetime.Takeover{From: i - 1, To: i})
		}
	}
	total, offsets, ok := p.chain(t).Least(t.Context(), 1000, testNodes, 0)
	if _, taken, err := p.confirm(offsets); !ok || total != 48 || len(taken) != 199 || err != nil {
		t.Errorf("%t, %d bytes, %d takeovers: %v", ok, total, len(taken), err)
	}
}

// TestAsGoodAsAWhole: a problem of one link without takeovers that is searched to the end has
// a plan within a limit if, and only if, there is any.
func TestAsGoodAsAWhole(t *testing.T) {
	fits, misfits := 0, 0
	property.Until(t, func() bool { return fits > 0 && misfits > 0 }, func(t *rapid.T) {
		p := problem{records: []lifetime.Record{{First: 0, Last: 6, Size: 3, Align: 4}, {First: 0, Last: 6, Size: 2, Align: 2}}}
		for range rapid.IntRange(0, 6).Draw(t, "records") {
			first := rapid.IntRange(0, 6).Draw(t, "first")
			p.add(t, first, rapid.IntRange(first, 6).Draw(t, "last"))
		}
		c, err := NewChain(p.records, nil, nil)
		if err != nil || c.Links() != 1 {
			t.Fatal(c.Links(), err)
		}
		limit := c.Bound() + rapid.Int64Range(0, 3).Draw(t, "more")
		whole, err := alloc.Fit(t.Context(), p.records, limit, alloc.Options{})
		if err != nil {
			t.Fatal(err)
		}
		offsets, ok := c.Fit(t.Context(), limit, 0)
		if ok != (whole.Answer == alloc.Fits) {
			t.Fatalf("%t, but as a whole it %s", ok, whole.Answer)
		}
		best, err := alloc.Solve(t.Context(), p.records, alloc.Options{Approach: alloc.Offsets})
		if err != nil {
			t.Fatal(err)
		}
		known := best.Total + rapid.Int64Range(1, 20).Draw(t, "known")
		if total, _, ok := c.Least(t.Context(), known, 0, 0); !ok || best.Optimal && total != best.Total {
			t.Fatalf("%t, %d bytes below %d, where %d are the least", ok, total, known, best.Total)
		}
		if !ok {
			misfits++
			return
		}
		fits++
		if _, _, err := p.confirm(offsets); err != nil {
			t.Fatal(err)
		}
	})
}

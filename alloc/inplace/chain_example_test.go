package inplace

import (
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
)

// twoWays has two parts that are cut out of larger tensors and outlive them.
//
//	bytes       0123456789
//	position 0  XXXXXXXX      x may lie where it was cut from, and has to for 8 bytes
//	         1  XXXXXXxx
//	         2  WWWWWWxx
//	         3  WWWWWWww      w is cut from the middle of W: there, it were in Z's way
//	         4  ZZZZZZww
//
// x is handed on from the first link to the second, W to the third, and w to the last.
var twoWays = problem{
	records: []lifetime.Record{
		{Name: "X", First: 0, Last: 1, Size: 8},
		{Name: "x", First: 1, Last: 2, Size: 2},
		{Name: "W", First: 2, Last: 3, Size: 6},
		{Name: "w", First: 3, Last: 4, Size: 2},
		{Name: "Z", First: 4, Last: 4, Size: 6},
	},
	takeovers: []lifetime.Takeover{{From: 0, To: 1, Offset: 6}, {From: 2, To: 3, Offset: 2}},
}

// TestEachLinkItsOwnWay: a plan of all at once with both takeovers, or with neither, needs 10
// bytes. Link by link 8 are enough.
func TestEachLinkItsOwnWay(t *testing.T) {
	p := twoWays
	for _, m := range Narrowest(p.records, TakeoverSets(p.records, p.takeovers), nil) {
		plan, err := alloc.Solve(t.Context(), m.Records, alloc.Options{Approach: alloc.Offsets})
		if err != nil || plan.Total != 10 || !plan.Optimal {
			t.Errorf("as a whole with %d takeovers: %v, %v", len(m.Taken), plan, err)
		}
	}
	c := p.chain(t)
	total, offsets, ok := c.Least(t.Context(), 10, testNodes, 0)
	if _, taken, err := p.confirm(offsets); !ok || total != 8 || c.Bound() != 8 || c.Links() != 4 || len(taken) != 1 || err != nil {
		t.Errorf("%t, %d bytes of %d in %d links, takeovers %v: %v", ok, total, c.Bound(), c.Links(), taken, err)
	}
}

// TestReadRowByRow: rows of R are read, and what each becomes is written where earlier ones
// were. All is handed on at an end of the arena: R comes from I, and O goes to Q.
//
//	bytes        01234567
//	position -1  II
//	          0  IIRRRRRR
//	          1  aaRRRRRR
//	          2  aabbRRRR
//	          3  aabbccRR
//	          4  OOOOOO      O is a, b and c, where they lie
//	          5  OOOOOOQQ
func TestReadRowByRow(t *testing.T) {
	whole := lifetime.Record{Name: "R", First: 0, Last: 3, Size: 6}
	p := problem{
		records: []lifetime.Record{
			{Name: "I", First: -1, Last: 0, Size: 2},
			whole.Remaining([]lifetime.Read{{Position: 1, Lo: 0, Hi: 2}, {Position: 2, Lo: 2, Hi: 4}, {Position: 3, Lo: 4, Hi: 6}}),
			{Name: "a", First: 1, Last: 4, Size: 2},
			{Name: "b", First: 2, Last: 4, Size: 2},
			{Name: "c", First: 3, Last: 4, Size: 2},
			{Name: "O", First: 4, Last: 5, Size: 6},
			{Name: "Q", First: 5, Last: 6, Size: 2},
		},
		takeovers: []lifetime.Takeover{{From: 5, To: 2, Offset: 0}, {From: 5, To: 3, Offset: 2}, {From: 5, To: 4, Offset: 4}},
	}
	c := p.chain(t)
	offsets, ok := c.Fit(t.Context(), 8, testNodes)
	if total, taken, err := p.confirm(offsets); !ok || total != 8 || c.Bound() != 8 || len(taken) != 3 || err != nil {
		t.Errorf("%t, %v of bound %d, takeovers %v: %v", ok, offsets, c.Bound(), taken, err)
	}
	p.records[1] = whole
	if total, _, ok := p.chain(t).Least(t.Context(), 100, testNodes, 0); !ok || total != 12 {
		t.Errorf("R that stays whole: %t, %d bytes", ok, total)
	}
}

// TestPlaceIsAgreed: where a tensor is handed on suits both links. What is pinned leaves m one
// place, in the second link, and in the same problem backwards in the first. By itself the
// other would put m at an end.
//
//	bytes       01234567
//	position 0   A mm
//	         1   ABmm
//	         2  PPPmmQQQ
func TestPlaceIsAgreed(t *testing.T) {
	p := problem{records: []lifetime.Record{
		{Name: "A", First: 0, Last: 1, Size: 1},
		{Name: "m", First: 0, Last: 2, Size: 2},
		{Name: "B", First: 1, Last: 1, Size: 1},
		{Name: "P", First: 2, Last: 2, Size: 3, Pinned: true, Offset: 0},
		{Name: "Q", First: 2, Last: 2, Size: 3, Pinned: true, Offset: 5},
	}}
	backwards := problem{}
	for _, r := range p.records {
		r.First, r.Last = -r.Last, -r.First
		backwards.records = append(backwards.records, r)
	}
	for _, p := range []problem{p, backwards} {
		c := p.chain(t)
		offsets, ok := c.Fit(t.Context(), 8, testNodes)
		if _, _, err := p.confirm(offsets); !ok || err != nil || c.Links() != 2 || offsets[1] != 3 {
			t.Errorf("%t, %v in %d links: %v", ok, offsets, c.Links(), err)
		}
	}
}

// TestPlaceIsAgreedFurtherOn: a tensor that is passed on twice has a place that suits the link after
// the next one.
func TestPlaceIsAgreedFurtherOn(t *testing.T) {
	p := problem{records: []lifetime.Record{
		{Name: "A", First: 0, Last: 1, Size: 1},
		{Name: "m", First: 1, Last: 3, Size: 2},
		{Name: "B", First: 2, Last: 2, Size: 1},
		{Name: "P", First: 3, Last: 3, Size: 3, Pinned: true, Offset: 0},
		{Name: "Q", First: 3, Last: 3, Size: 3, Pinned: true, Offset: 5},
	}}
	offsets, ok := p.chain(t).Fit(t.Context(), 8, testNodes)
	if _, _, err := p.confirm(offsets); !ok || err != nil || offsets[1] != 3 {
		t.Errorf("%t, %v: %v", ok, offsets, err)
	}
}

// TestLinkAtGivenPlaces: the incoming record has the given place, or there is no plan. So has the
// outgoing one, unless the incoming one is in its way: then it is directly above or below that.
func TestLinkAtGivenPlaces(t *testing.T) {
	l := NewLink([]lifetime.Record{
		{First: 0, Last: 1, Size: 4, Align: 4}, {First: 1, Last: 1, Size: 3}, {First: 1, Last: 2, Size: 8, Align: 4},
	}, nil, nil, []int{0}, []int{2})
	for _, test := range []struct {
		limit, in, out int64
		want           []int64 // nil for no plan
	}{
		{16, 0, 8, []int64{0, 4, 8}},
		{16, 12, 0, []int64{12, 8, 0}},
		{16, 0, 4, []int64{0, 12, 4}},
		{16, 0, 0, []int64{0, 12, 4}},  // in the way: upon it
		{16, 12, 8, []int64{12, 0, 4}}, // in the way: under it
		{16, 4, Anywhere, []int64{4, 0, 8}},
		{15, 4, Anywhere, nil}, // no 8 bytes are left in one piece
		{15, Anywhere, Anywhere, []int64{8, 12, 0}},
		{14, Anywhere, Anywhere, nil},
		{40, 2, Anywhere, nil},  // not aligned
		{16, 16, Anywhere, nil}, // beyond the end
		{16, Anywhere, 12, nil},
		{-1, Anywhere, Anywhere, nil},
	} {
		var in []int64
		if test.in != Anywhere {
			in = []int64{test.in}
		}
		got, ok := l.Fit(t.Context(), test.limit, testNodes, in, test.out)
		if ok != (test.want != nil) || ok && !slices.Equal(got, test.want) {
			t.Errorf("%d and %d in %d bytes: %v, %t, want %v", test.in, test.out, test.limit, got, ok, test.want)
		}
		if ok && !slices.Equal(l.Out(got), got[2:]) {
			t.Errorf("goes out at %d, not %d", l.Out(got), got[2])
		}
	}
	if l.Bound() != 15 {
		t.Errorf("bound %d", l.Bound())
	}
}

// TestEndsOfAnArena: w comes out of W at byte 6 and has to be joined to V at byte 2, where
// they share memory, and may as well be at the ends of 12 bytes by itself.
func TestEndsOfAnArena(t *testing.T) {
	out := NewLink([]lifetime.Record{{First: 0, Last: 1, Size: 8}, {First: 1, Last: 2, Size: 2}}, []lifetime.Takeover{{From: 0, To: 1, Offset: 6}}, nil, nil, []int{1})
	in := NewLink([]lifetime.Record{{First: 1, Last: 2, Size: 2}, {First: 2, Last: 3, Size: 8}}, []lifetime.Takeover{{From: 1, To: 0, Offset: 2}}, nil, []int{0}, nil)
	for _, test := range []struct{ got, want []int64 }{
		{out.Outs(12), []int64{0, 6, 10}},
		{in.Ins(t.Context(), 12, testNodes, 0), []int64{0, 2, 6, 10}},
	} {
		for _, at := range test.want {
			if !slices.Contains(test.got, at) {
				t.Errorf("%d is none of %v", at, test.got)
			}
		}
	}
	if len(in.Outs(12)) > 0 || len(out.Outs(1)) > 0 {
		t.Error("places of nothing, or where there is no place")
	}
}

package inplace

import (
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/lifetime"
)

// A problem is what is cut into links.
type problem struct {
	records   []lifetime.Record
	takeovers []lifetime.Takeover
	overlaps  []lifetime.Overlap
	// many is the number of records above which links are cut further, zero for none.
	many int
}

// drawnChain returns tensors that are passed on one after the other, some with pauses between, others
// alive at the same time, and takeovers between those that are alive together.
func drawnChain(t *rapid.T) (p problem) {
	begin := rapid.IntRange(-1, 1).Draw(t, "begin")
	at := begin
	for range rapid.IntRange(1, 5).Draw(t, "links") {
		end := at + rapid.IntRange(1, 4).Draw(t, "length")
		p.add(t, at, end)
		for range rapid.IntRange(0, 3).Draw(t, "beside") {
			first := rapid.IntRange(at, end).Draw(t, "first")
			p.add(t, first, rapid.IntRange(first, end).Draw(t, "last"))
		}
		at = end + rapid.IntRange(0, 1).Draw(t, "pause")
	}
	for range rapid.IntRange(0, 3).Draw(t, "beside several") {
		first := rapid.IntRange(begin, at).Draw(t, "first")
		p.add(t, first, rapid.IntRange(first, at).Draw(t, "last"))
	}
	p.many = rapid.SampledFrom([]int{0, 2}).Draw(t, "many")
	for i, r := range p.records {
		for j, s := range p.records {
			if i == j || !r.Overlaps(s) || r.Size < s.Size || rapid.IntRange(0, 2).Draw(t, "permit") > 0 {
				continue
			}
			x := lifetime.Takeover{From: i, To: j, Offset: rapid.Int64Range(0, r.Size-s.Size).Draw(t, "offset") / 4 * 4} // of all alignments
			if rapid.Bool().Draw(t, "around") {
				x = lifetime.Takeover{From: j, To: i, Offset: -x.Offset}
			}
			p.takeovers = append(p.takeovers, x)
		}
	}
	return p
}

// add adds a tensor, that may be read piece by piece.
func (p *problem) add(t *rapid.T, first, last int) {
	r := lifetime.Record{
		First: first, Last: last, Align: rapid.SampledFrom([]int64{0, 1, 2, 4}).Draw(t, "align"),
		Size: rapid.Int64Range(0, 6).Draw(t, "size") * rapid.SampledFrom([]int64{1, 4}).Draw(t, "unit"),
	}
	if first < last && rapid.Bool().Draw(t, "pieces") {
		at := rapid.IntRange(first+1, last).Draw(t, "read")
		lo := rapid.Int64Range(0, r.Size).Draw(t, "lo")
		r = r.Remaining([]lifetime.Read{{Position: at, Hi: r.Size}, {Position: last, Lo: lo, Hi: r.Size}})
	}
	p.records = append(p.records, r)
}

// chain returns the chain of a problem.
func (p problem) chain(t interface{ Fatal(args ...any) }) *Chain {
	c, err := NewChain(p.records, p.takeovers, p.overlaps)
	if err != nil {
		t.Fatal(err)
	}
	if p.many > 0 {
		if finer := c.finer(p.many); finer != nil {
			return finer
		}
	}
	return c
}

// confirm has the checker, which knows nothing of links and of merging, confirm a plan, and
// returns its total in bytes and the takeovers that happen.
func (p problem) confirm(offsets []int64) (total int64, taken []lifetime.Takeover, err error) {
	for i, r := range p.records {
		if r.Size > 0 && i < len(offsets) {
			total = max(total, offsets[i]+r.Size)
		}
	}
	if len(offsets) == len(p.records) {
		taken = Placed(p.records, p.takeovers, offsets).Taken
	}
	return total, taken, check.Aliased(p.records, offsets, total, taken, p.overlaps)
}

package strip

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/sets"
	"github.com/tflarena/tflarena/internal/integer"
)

// The pins are the pinned records, which the skyline reaches from below one after the other.
type pins struct {
	records problem.Records
	time    problem.Timeline
	order   []int // the pinned records, by offset
	passed  int   // how many of them the skyline has reached
	taken   *sets.Occupancy
}

func newPins(records problem.Records, time problem.Timeline) pins {
	p := pins{records: records, time: time}
	for i, r := range records {
		if r.Pinned {
			p.order = append(p.order, i)
		}
	}
	if len(p.order) == 0 {
		return p
	}
	slices.SortStableFunc(p.order, func(i, j int) int { return cmp.Compare(records[i].Offset, records[j].Offset) })
	p.taken = sets.NewOccupancy(time.Count)
	for _, i := range p.order {
		p.taken.Add(time.First[i], time.Last[i], sets.Span{Lo: records[i].Offset, Hi: records[i].Offset + records[i].Size})
	}
	return p
}

// next returns the offset of the next pinned record, above which no line may be lifted unchecked;
// unlimited after the last one.
func (p *pins) next() int64 {
	if p.passed == len(p.order) {
		return unlimited
	}
	return p.records[p.order[p.passed]].Offset
}

// pass returns the next pinned record and advances.
func (p *pins) pass() int {
	i := p.order[p.passed]
	p.passed++
	return i
}

// clear returns a function that reports whether a record, placed at a height or at the first aligned
// byte above, clears the pinned records; nil without any.
func (p *pins) clear(height int64) func(i int) bool {
	if p.taken == nil {
		return nil
	}
	return func(i int) bool {
		start := integer.RoundUp(height, p.records[i].Alignment())
		end := start + p.records[i].Size
		return !slices.ContainsFunc(p.taken.Taken(p.time.First[i], p.time.Last[i]), func(s sets.Span) bool {
			return start < s.Hi && s.Lo < end
		})
	}
}

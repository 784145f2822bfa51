package strip

import (
	"cmp"
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/alloc/internal/sets"
)

// Pack is the best-fit heuristic of Sekiyama et al. 2018, section 3.2: take
// the lowest line of the skyline, the leftmost of equals; place on it the
// longest-lived waiting tensor that is alive within the line's time only, of equals
// the larger, then the earlier by first position and row. When none fits, lift the
// line to its lowest neighbour. Neighbours of equal height are one line.
//
// Alignments and pins are ours: a tensor starts at the first aligned byte above its
// line and must clear the pinned ones. Where the lowest line has come up to the
// offset of a pinned tensor, all lines below its end rise to that end.
func Pack(ctx context.Context, records problem.Records) ([]int64, error) {
	return packAlong(ctx, records, longestFirst(records))
}

func longestFirst(records problem.Records) []int {
	return problem.OrderBy(records, func(i, j int) int {
		return cmp.Or(cmp.Compare(problem.Length(records[j]), problem.Length(records[i])), cmp.Compare(records[j].Size, records[i].Size),
			cmp.Compare(records[i].First, records[j].First))
	})
}

// packAroundPins packs like Pack, but with the first in order first among
// the tensors that fit.
func packAroundPins(ctx context.Context, records problem.Records, order []int) ([]int64, error) {
	s := newStrip(records, order)
	pulse := problem.Pulse{Context: ctx}
	for left := len(records) - len(s.pins); left > 0; {
		if err := pulse.Err(); err != nil {
			return nil, err
		}
		l := s.sky.lowest()
		if len(s.pins) > 0 && records[s.pins[0]].Offset <= l.height {
			s.raiseOverPin()
			continue
		}
		i := s.waiting.best(l, func(i int) bool { return s.clear(i, l.height) })
		if i < 0 {
			s.sky.lift(l, s.ceiling())
			continue
		}
		s.offsets[i] = problem.RoundUp(l.height, records[i].Alignment())
		s.sky.raise(s.time.First[i], s.time.Last[i], s.offsets[i]+records[i].Size)
		s.waiting.remove(i)
		left--
	}
	return s.offsets, nil
}

// A strip is the state of packAroundPins.
type strip struct {
	records problem.Records
	time    problem.Timeline
	offsets []int64
	sky     *skyline
	waiting rankTree
	pins    []int // pinned records that the skyline has yet to reach, by offset
	pinned  *sets.Occupancy
}

func newStrip(records problem.Records, order []int) *strip {
	s := &strip{records: records, time: problem.NewTimeline(records), offsets: make([]int64, len(records))}
	s.sky = newSkyline(s.time.Count)
	s.waiting = newRankTree(records, s.time)
	s.waiting.fill(order)
	for i, r := range records {
		if r.Pinned {
			s.pins = append(s.pins, i)
			s.offsets[i] = r.Offset
			s.waiting.remove(i)
		}
	}
	if len(s.pins) > 0 {
		s.pinned = sets.NewOccupancy(s.time.Count)
	}
	for _, i := range s.pins {
		s.pinned.Add(s.time.First[i], s.time.Last[i], sets.Span{Lo: records[i].Offset, Hi: records[i].Offset + records[i].Size})
	}
	slices.SortStableFunc(s.pins, func(i, j int) int { return cmp.Compare(records[i].Offset, records[j].Offset) })
	return s
}

// clear reports whether record i, placed at height or the first aligned byte above,
// clears the pinned records.
func (s *strip) clear(i int, height int64) bool {
	if s.pinned == nil {
		return true
	}
	start := problem.RoundUp(height, s.records[i].Alignment())
	for _, taken := range s.pinned.Taken(s.time.First[i], s.time.Last[i]) {
		if start < taken.Hi && taken.Lo < start+s.records[i].Size {
			return false
		}
	}
	return true
}

// raiseOverPin lifts every line below the end of the next pinned record to that end.
func (s *strip) raiseOverPin() {
	i := s.pins[0]
	s.pins = s.pins[1:]
	s.sky.raise(s.time.First[i], s.time.Last[i], s.records[i].Offset+s.records[i].Size)
}

// ceiling returns the offset of the next pinned record, beyond which no line may be
// lifted unseen, or a negative number.
func (s *strip) ceiling() int64 {
	if len(s.pins) == 0 {
		return -1
	}
	return s.records[s.pins[0]].Offset
}

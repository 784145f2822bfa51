package parts

import (
	"context"

	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/rewrite/split"
)

// effort is the granularity of stages to try: numbers of strips, of rows and columns of a grid,
// and of tiles of different sizes, and the maximum number of operators in a stage.
type effort struct {
	strips, grids []int
	longest       int
	uneven        []int
	// macs is the maximum of extra multiply-accumulates.
	macs int64
}

// within returns the effort with a maximum of extra multiply-accumulates.
func (e effort) within(macs int64) *effort {
	e.macs = macs
	return &e
}

// finest is the first of the efforts plus tiles of different sizes.
func finest() effort {
	e := efforts[0]
	e.uneven = []int{6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 44, 48, 51, 54, 57, 60, 64, 72}
	return e
}

// efforts are tried in order until one is within the work limit.
var efforts = []effort{
	{strips: []int{2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56}, grids: []int{2, 3, 4, 5, 6, 7, 8}, longest: 30},
	{strips: []int{2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 28}, grids: []int{2, 3, 4, 5, 6}, longest: 24},
	{strips: []int{2, 3, 4, 6, 8, 12, 16}, grids: []int{2, 3, 4}, longest: 16},
	{strips: []int{2, 4, 8, 16}, grids: []int{2, 4}, longest: 10},
	{strips: []int{2, 4, 8}, longest: 6},
}

// along are the numbers of slices tried along the channels, for runs of up to longestAlong
// operators.
var along = []int{2, 3, 4, 6, 8, 12, 16, 24, 32}

const longestAlong = 8

// work returns the number of operators in the fragments of a stage of n operators.
func (e *effort) work(n int) int {
	pieces := 0
	for _, k := range e.strips {
		pieces += 3 * k
	}
	for _, k := range e.grids {
		pieces += 2 * k * k
	}
	return n * pieces
}

// span is a run of operators between two boundaries.
type span struct {
	from, to int
	// channels is the maximum number of slices along the channels, 0 if the run is tiled along
	// height and width.
	channels int
}

// spans returns the runs that may be stages and need more than enough bytes, and the effort for
// trying them: the finest within the work limit most, or else the coarsest.
func (r *Row) spans(enough int64, most int) (list []span, e *effort) {
	bounds := r.boundaries()
	for k := range efforts {
		list, e = nil, &efforts[k]
		work := 0
		for i, from := range bounds {
			for _, to := range bounds[i+1:] {
				if to-from > e.longest || !r.open(from, to) {
					break
				}
				if r.Own(from, to).Peak > enough {
					list = append(list, span{from: from, to: to})
					work += e.work(to - from)
				}
			}
		}
		if work <= most {
			break
		}
	}
	return list, e
}

// channelSpans returns the runs that may be stages along the channels and need more than enough
// bytes. When ctx ends it returns those found so far.
func (r *Row) channelSpans(ctx context.Context, enough int64) (list []span) {
	for run := range split.ChannelRuns(r.model, longestAlong) {
		if deadline.Err(ctx) != nil {
			break
		}
		at := span{from: run.First, to: run.Last + 1, channels: run.Most}
		if r.Own(at.from, at.to).Peak > enough {
			list = append(list, at)
		}
	}
	return list
}

// Limits returns the operators that cannot be tiled and need as many bytes as [Row.Floor].
func (r *Row) Limits() (list []int) {
	for i, why := range r.cuttable {
		if why != nil && r.channels[i] != nil && r.breadth[i] == r.Floor() {
			list = append(list, i)
		}
	}
	return list
}

// Floor returns the peak of live bytes before the first operator and at those that cannot be tiled.
func (r *Row) Floor() int64 {
	most := r.start.Peak
	for i, why := range r.cuttable {
		if why != nil && r.channels[i] != nil {
			most = max(most, r.breadth[i])
		}
	}
	return most
}

// NotCut returns the reason why no operator can be tiled, "" if one can.
func (r *Row) NotCut() string {
	pieces := false
	for i, why := range r.cuttable {
		if why == nil || r.channels[i] == nil {
			return ""
		}
		pieces = pieces || why == errPiece
	}
	switch {
	case pieces:
		return "no operator can be tiled that is not in a tiled block already"
	case r.calls:
		return "no operator of subgraph 0 can be tiled, and called subgraphs are not tiled"
	}
	return "no operator can be tiled"
}

// open reports whether all operators between two boundaries can be part of a stage.
func (r *Row) open(from, to int) bool {
	for i := from; i < to; i++ {
		if r.cuttable[i] != nil {
			return false
		}
	}
	return true
}

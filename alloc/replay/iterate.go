package replay

import (
	"fmt"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// An Iteration is a part of a trace that comes again and again, such as a step of training.
type Iteration struct {
	// First and End are indexes of events: the iteration has those of [First, End).
	First, End int
	// Requests counts the blocks requested in it; Hot counts those that are released in it.
	Requests, Hot int
	// Peak is the largest sum of hot bytes in use at the same time, rounded up.
	Peak int64
	// Misfit says why the plan of the reference iteration is not good for this one; it is
	// empty if it is.
	Misfit string
}

// Iterations are the iterations of a device and the plan for all of them: what is requested and
// released within an iteration lies where the plan has it, by the order of requests, and all
// else is kept apart, as in section 4 of the paper.
type Iterations struct {
	// Source says how they were found.
	Source string
	List   []Iteration
	// Reference is the index of the one that was planned, -1 where nothing was.
	Reference int
	// Hot is the plan of its hot blocks.
	Hot *alloc.Plan
	// Kept is the plan of everything else from the first iteration to the last.
	Kept *Plan
	// Fitting counts the iterations for which the plan is good.
	Fitting int
}

// Interrupted reports whether a plan is only the best that was found before the context ended.
func (it *Iterations) Interrupted() bool { return it.Hot.Interrupted || it.Kept.Interrupted }

// hotOf returns the requests of an iteration in their order, as records, with Size -1 for those
// that are not hot: they outlive the iteration, or are of another lane than the one that is
// planned; -1 stands for all lanes.
func (p *Profile) hotOf(span Iteration, lives []int, lane int) []lifetime.Record {
	records := make([]lifetime.Record, len(lives))
	for k, i := range lives {
		l := &p.Lives[i]
		records[k] = lifetime.Record{First: l.First - span.First, Last: l.Last - span.First, Size: integer.RoundUp(l.Size, p.Granule), Align: p.Granule}
		if l.Late || l.Last+1 >= span.End || lane >= 0 && int(l.Lane) != lane {
			records[k].Size = -1
		}
	}
	return records
}

// requestsIn returns, for each iteration, the lives that begin in it, in order, without cold ones.
func (p *Profile) requestsIn(list []Iteration) [][]int {
	lives := make([][]int, len(list))
	k := 0
	for i := range p.Lives {
		l := &p.Lives[i]
		if l.Early || l.Cold {
			continue
		}
		for k < len(list) && list[k].End <= l.First {
			k++
		}
		if k < len(list) && l.First >= list[k].First {
			lives[k] = append(lives[k], i)
		}
	}
	return lives
}

// compact returns the hot records and where they are among all.
func compact(records []lifetime.Record) (hot []lifetime.Record, at []int) {
	for k, r := range records {
		if r.Size >= 0 {
			hot, at = append(hot, r), append(at, k)
		}
	}
	return hot, at
}

// misfit says why the places of a plan are not good for the requests of another iteration.
func misfit(planned []lifetime.Record, places []int64, others []lifetime.Record) string {
	if len(others) != len(planned) {
		noun := "requests"
		if len(others) == 1 {
			noun = "request"
		}
		return fmt.Sprintf("%s %s instead of %s", units.Number(len(others)), noun, units.Number(len(planned)))
	}
	var records []lifetime.Record
	var offsets []int64
	var end int64
	for k, r := range others {
		switch {
		case planned[k].Size < 0:
			continue // kept apart
		case r.Size < 0:
			return fmt.Sprintf("request %d is not released within the iteration", k)
		case r.Size > planned[k].Size:
			return fmt.Sprintf("request %d asks for %s instead of %s", k, units.ExactBytes(r.Size), units.ExactBytes(planned[k].Size))
		}
		records, offsets = append(records, r), append(offsets, places[k])
		if r.Size > 0 {
			end = max(end, places[k]+r.Size)
		}
	}
	if check.Offsets(records, offsets, end) != nil {
		return "blocks are in use at the same time that were not before"
	}
	return ""
}

// mainLane returns the lane that asks for most bytes.
func (p *Profile) mainLane() int {
	bytes := make([]int64, len(p.Device.Lanes))
	best := 0
	for i := range p.Lives {
		lane := int(p.Lives[i].Lane)
		if bytes[lane] += p.Lives[i].Size; bytes[lane] > bytes[best] {
			best = lane
		}
	}
	return best
}

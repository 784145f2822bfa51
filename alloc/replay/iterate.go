package replay

import (
	"fmt"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// An Iteration is a part of a trace that repeats, such as a training step.
type Iteration struct {
	// The iteration has the events [First, End).
	First, End int
	// Requests counts the blocks requested in it, and Hot those that are also released in it.
	Requests, Hot int
	// Peak is the peak of hot bytes in use, rounded up.
	Peak int64
	// Misfit is the reason why the plan of the reference iteration does not fit; empty if it does.
	Misfit string
}

// Iterations are the iterations of a device and the plan for all of them. Blocks requested and released
// within an iteration have planned places, by the order of requests, and all others are kept apart
// (section 4 of the paper).
type Iterations struct {
	// Source is [ByAnnotations], [BySteps] or [BySizes].
	Source string
	List   []Iteration
	// Reference is the index of the planned iteration, or -1.
	Reference int
	// Hot is the plan of its hot blocks.
	Hot *alloc.Plan
	// Kept is the plan of all other blocks from the first iteration to the last.
	Kept *Plan
	// Fitting counts the iterations that the plan fits.
	Fitting int
}

// Interrupted reports whether the context ended during a search.
func (it *Iterations) Interrupted() bool { return it.Hot.Interrupted || it.Kept.Interrupted }

// hotOf returns the requests of an iteration as records, in order. Size is -1 for requests that are not
// hot: they outlive the iteration, or have another lane than the given one; -1 means all lanes.
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

// requestsIn returns, for each iteration, the indexes of hot lives that begin in it, in order.
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

// hotRecords returns the hot records and their indexes.
func hotRecords(records []lifetime.Record) (hot []lifetime.Record, at []int) {
	for k, r := range records {
		if r.Size >= 0 {
			hot, at = append(hot, r), append(at, k)
		}
	}
	return hot, at
}

// misfit returns the reason why a plan does not fit the requests of another iteration, or "".
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
			continue // not planned
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

// mainLane returns the lane with the most requested bytes.
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

package fit

import (
	"errors"

	"github.com/tflarena/tflarena/alloc/merge"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// A row is a model as a path goes through it: subgraph 0, operator by operator. Sizes are
// in bytes.
type row struct {
	model *tflite.Model
	// size is what each tensor takes, 0 where it is not planned.
	size []int64
	// first and last are the operators at which each tensor begins and ends to be alive;
	// a graph input begins at -1. Graph outputs end behind the last operator.
	first, last []int
	// breadth is what is alive at each operator, and alone what that is without takeovers.
	breadth, alone []int64
	// through is what is alive at each boundary, boundary i being in front of operator i.
	through []int64
	// cuttable says which operators can be part of a stage, and channels which of one along
	// the channels.
	cuttable, channels []error
	// alias is which outputs may take over an input's memory.
	alias rules.Alias
	// target is what tails are counted for.
	target rules.Target
	// fine is a peak at which stages need not be finer.
	fine int64
	// scratch is what each operator asks for while it runs.
	scratch []int64
}

func newRow(v *rules.View, alias rules.Alias, scratch []rules.Request) *row {
	s := &v.Model.Subgraphs[0]
	n := len(s.Tensors)
	r := &row{
		model: v.Model, size: make([]int64, n), first: make([]int, n), last: make([]int, n),
		breadth: make([]int64, len(s.Operators)), alone: make([]int64, len(s.Operators)), through: make([]int64, len(s.Operators)+1), cuttable: split.Cuttable(v.Model),
		channels: split.ChannelCuttable(v.Model), scratch: make([]int64, len(s.Operators)), alias: alias,
	}
	for i := range r.first {
		r.first[i], r.last[i] = len(s.Operators), -1
	}
	for i, at := range v.Usage.Places {
		if at.Subgraph == 0 {
			// Operator i runs at position i+1; the inputs are there at 0.
			record := v.Usage.Records[i]
			r.size[at.Tensor], r.first[at.Tensor], r.last[at.Tensor] = record.Size, record.First-1, record.Last-1
		}
	}
	for _, t := range s.Outputs {
		if t >= 0 && r.size[t] > 0 {
			r.last[t] = len(s.Operators)
		}
	}
	for _, request := range scratch {
		if request.Subgraph == 0 && request.Operator < len(r.scratch) {
			r.scratch[request.Operator] += roundUp(request.Bytes)
		}
	}
	r.leavePieces()
	copy(r.alone, r.scratch)
	copy(r.breadth, r.scratch)
	profile(r.alone, v.Records())
	profile(r.breadth, merge.Merge(v.Remaining(r.alias), v.Takeovers(r.alias), nil).Records)
	through := newSums(len(r.through))
	for t := range r.size {
		through.add(r.first[t]+1, r.last[t], r.size[t])
	}
	through.addTo(r.through)
	return r
}

// errPiece says why an operator is not cut that works on pieces.
var errPiece = errors.New("it works on a piece that was cut before")

// leavePieces leaves alone what was cut before: how the whole is best cut was decided then,
// and pieces of pieces are many operators for little.
func (r *row) leavePieces() {
	s := &r.model.Subgraphs[0]
	for i := range s.Operators {
		o := &s.Operators[i]
		for _, list := range [][]int{o.Inputs, o.Outputs} {
			for _, t := range list {
				if t >= 0 && split.IsPiece(&s.Tensors[t]) {
					r.cuttable[i], r.channels[i] = errPiece, errPiece
				}
			}
		}
	}
}

// profile adds up what is alive at each operator.
func profile(bytes []int64, records []lifetime.Record) {
	alive := newSums(len(bytes))
	for _, record := range records {
		for p := range record.Pieces {
			alive.add(p.First-1, p.Last-1, p.Hi-p.Lo) // operator i runs at position i+1
		}
	}
	alive.addTo(bytes)
}

// sums are what a number is above the one before it, so that to add to a stretch of numbers
// takes no longer than to add to one.
type sums []int64

func newSums(n int) sums { return make(sums, n+1) }

// add adds to the numbers from first to last, both inclusive, as far as there are any.
func (s sums) add(first, last int, bytes int64) {
	if first, last = max(first, 0), min(last, len(s)-2); first <= last {
		s[first] += bytes
		s[last+1] -= bytes
	}
}

// addTo adds the numbers to others.
func (s sums) addTo(list []int64) {
	var sum int64
	for i := range list {
		sum += s[i]
		list[i] += sum
	}
}

// straight reports whether the model is one that a path can go through: all of it runs in
// subgraph 0, one operator after the other, and nothing lives outside of that.
func straight(v *rules.View) bool {
	for _, op := range v.Graph.Subgraphs[0].Operators {
		if len(op.Calls) > 0 {
			return false
		}
	}
	for i, at := range v.Usage.Places {
		if at.Subgraph != 0 && v.Usage.Records[i].Last >= 0 {
			return false
		}
	}
	return len(v.Usage.Steps) == len(v.Graph.Subgraphs[0].Operators)+1
}

// beside returns what is alive all the time while operators from to to run, and is none
// of their own.
func (r *row) beside(from, to int) (bytes int64) {
	for t, size := range r.size {
		if r.isBeside(t, from, to) {
			bytes += size
		}
	}
	return bytes
}

func (r *row) isBeside(t, from, to int) bool {
	return r.size[t] > 0 && r.first[t] < from && r.last[t] > to && !r.touched(t, from, to)
}

// touched reports whether an operator from from to to reads or makes a tensor.
func (r *row) touched(t, from, to int) bool {
	tensor := &r.model.Subgraphs[0].Tensors[t]
	if tensor.Producer >= from && tensor.Producer <= to {
		return true
	}
	for _, reader := range tensor.Consumers {
		if reader >= from && reader <= to {
			return true
		}
	}
	return false
}

// boundaries are where stages may begin and end: where no more is alive than behind the
// next operator. Anywhere else it would be better to go on.
func (r *row) boundaries() (list []int) {
	n := len(r.breadth)
	for i := range r.through {
		if i == 0 || i == n || r.through[i] <= r.through[i+1] {
			list = append(list, i)
		}
	}
	return list
}

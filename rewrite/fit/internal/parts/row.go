package parts

import (
	"errors"

	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// Options say what a [Row] is counted for.
type Options struct {
	// Alias is which outputs may take over an input's memory.
	Alias rules.Alias
	// Device is what scratch and tails are counted for.
	Device rules.Device
	// Fine is a peak in bytes at which stages need not be finer.
	Fine int64
	// Memo keeps what stages cost for other rows of the model, nil for none.
	Memo *Memo
}

// A Row is a model as a path goes through it: subgraph 0, operator by operator. Sizes are
// in bytes.
type Row struct {
	model *tflite.Model
	// alias, device, fine and memo are the [Options].
	alias  rules.Alias
	device rules.Device
	fine   int64
	memo   *Memo
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
	// scratch is what each operator asks for while it runs; known says that the device's kernel
	// library says it, for pieces too.
	scratch []int64
	known   bool
}

// Straight reports whether a model is one that a path can go through: all of it runs in
// subgraph 0, one operator after the other, and nothing lives outside of that.
func Straight(v *rules.View) bool {
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

// New returns the row of a model that is [Straight].
func New(v *rules.View, o Options) *Row {
	s := &v.Model.Subgraphs[0]
	tensors, operators := len(s.Tensors), len(s.Operators)
	cuttable, byChannel := Cuttable(v)
	r := &Row{
		model: v.Model, alias: o.Alias, device: o.Device, fine: o.Fine, memo: o.Memo, size: make([]int64, tensors), first: make([]int, tensors), last: make([]int, tensors),
		breadth: make([]int64, operators), alone: make([]int64, operators), through: make([]int64, operators+1),
		cuttable: cuttable, channels: byChannel, scratch: make([]int64, operators),
	}
	r.live(v)
	r.known = o.Device.CountsKernels() && !o.Device.IsReference()
	for _, request := range o.Device.Requests(v.Model) {
		if request.Subgraph == 0 && request.Operator < len(r.scratch) {
			r.scratch[request.Operator] += RoundUp(request.Bytes)
		}
	}
	r.leavePieces()
	copy(r.alone, r.scratch)
	copy(r.breadth, r.scratch)
	profile(r.alone, v.Records())
	r.share(v)
	through := newSums(len(r.through))
	for t := range r.size {
		through.add(r.first[t]+1, r.last[t], r.size[t])
	}
	through.addTo(r.through)
	return r
}

// share counts what is alive at each operator, with the memory that tensors may share.
func (r *Row) share(v *rules.View) {
	records := v.Remaining(r.alias)
	merged := inplace.Merge(records, v.Takeovers(r.alias), nil)
	profile(r.breadth, merged.Records)
	for position, bytes := range lifetime.Spared(merged.Records, merged.Overlaps(records, v.Overlaps(r.alias))) {
		r.breadth[position-1] -= bytes // operator i runs at position i+1
	}
}

// live notes what each tensor takes, and when it is alive.
func (r *Row) live(v *rules.View) {
	s := &v.Model.Subgraphs[0]
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
}

// errPiece says why an operator is not cut that works on pieces.
var errPiece = errors.New("it works on a piece that was cut before")

// Cuttable returns for each operator of subgraph 0 why it is not cut, along height and width and along
// the channels; nil where it may be. An operator whose kernel computes wrong results stays whole.
func Cuttable(v *rules.View) (rows, channels []error) {
	return withhold(v, split.Cuttable(v.Model)), withhold(v, split.ChannelCuttable(v.Model))
}

func withhold(v *rules.View, errs []error) []error {
	for step := range v.Untouched() {
		if step.Subgraph == 0 && step.Operator < len(errs) {
			errs[step.Operator] = &split.UncuttableError{
				Operator: step.Operator, Name: v.Model.Subgraphs[0].Operators[step.Operator].Name,
				Reason: "its kernel computes wrong results, which other tiles would change",
			}
		}
	}
	return errs
}

// leavePieces leaves alone what was cut before: how the whole is best cut was decided then,
// and pieces of pieces are many operators for little.
func (r *Row) leavePieces() {
	record := blocks.Of(r.model)
	s := &r.model.Subgraphs[0]
	for i := range s.Operators {
		if record.Tiled(0, &s.Operators[i]) {
			r.cuttable[i], r.channels[i] = errPiece, errPiece
		}
	}
}

// Len returns the number of operators: boundaries go from 0 to it.
func (r *Row) Len() int { return len(r.breadth) }

// base is the index of the first tensor that a fragment by itself adds.
func (r *Row) base() int { return len(r.model.Subgraphs[0].Tensors) }

// Fine returns the peak in bytes at which stages need not be finer.
func (r *Row) Fine() int64 { return r.fine }

package parts

import (
	"errors"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// Options configures a [Row].
type Options struct {
	// Alias is the level of permitted in-place outputs.
	Alias rules.Alias
	// Device is the target for scratch and tails.
	Device rules.Device
	// Memo caches the costs of stages for other rows of the model, nil for none.
	Memo *Memo
}

// Row is a model as a sequence for paths: subgraph 0, operator by operator. An operator that calls
// subgraphs needs what they need while they run. Sizes are in bytes.
type Row struct {
	model *tflite.Model
	// alias, device and memo are the [Options].
	alias  rules.Alias
	device rules.Device
	memo   *Memo
	// size is the size of each tensor of subgraph 0, 0 if it is not planned.
	size []int64
	// first and last are the operators at which each tensor's lifetime begins and ends; a graph
	// input begins at -1. Graph outputs end after the last operator.
	first, last []int
	// called are the tensors and the scratch of called subgraphs, and the scratch of subgraph 0. Those of
	// a subgraph that is called several times live from its first call to its last.
	called []stay
	// calls reports that operators call subgraphs.
	calls bool
	// start is the live bytes before the first operator.
	start Cost
	// breadth is the peak of live bytes at each operator, alone the same without in-place outputs.
	breadth, alone []int64
	// through is the live bytes at each boundary. Boundary i precedes operator i.
	through []int64
	// cuttable holds the reasons why operators cannot be part of a stage, channels the same for
	// stages along the channels; nil if they can.
	cuttable, channels []error
	// scratch is each operator's scratch request; known reports that the device's kernel
	// library determines it, also for tiles.
	scratch []int64
	known   bool
}

// stay is the lifetime of a record in operators of subgraph 0, both inclusive, and its size.
type stay struct {
	first, last int
	size        int64
}

// New returns the row of a model, whose view is of all subgraphs.
func New(v *rules.View, o Options) *Row {
	s := &v.Model.Subgraphs[0]
	tensors, operators := len(s.Tensors), len(s.Operators)
	cuttable, byChannel := Cuttable(v)
	r := &Row{
		model: v.Model, alias: o.Alias, device: o.Device, memo: o.Memo, size: make([]int64, tensors), first: make([]int, tensors), last: make([]int, tensors),
		through: make([]int64, operators+1), cuttable: cuttable, channels: byChannel, scratch: make([]int64, operators),
		calls: len(v.Usage.Steps) > operators+1,
	}
	requests := o.Device.Requests(v.Model)
	records := v.WithScratch(requests)
	r.live(v, records)
	r.known = o.Device.CountsKernels() && !o.Device.IsReference()
	for _, request := range requests {
		if request.Subgraph == 0 && request.Operator < len(r.scratch) {
			r.scratch[request.Operator] += RoundUp(request.Bytes)
		}
	}
	r.leavePieces()
	r.start.Sure, r.alone = peaks(v, records, nil)
	r.share(v, records[len(v.Records()):])
	through := newSums(len(r.through))
	for t := range r.size {
		through.add(r.first[t]+1, r.last[t], r.size[t])
	}
	for _, c := range r.called {
		through.add(c.first+1, c.last, c.size)
	}
	through.addTo(r.through)
	return r
}

// share computes the live bytes at each operator, with permitted sharing of memory.
func (r *Row) share(v *rules.View, scratch []lifetime.Record) {
	records := v.Remaining(r.alias)
	merged := inplace.Merge(records, v.Takeovers(r.alias), nil)
	spared := lifetime.Spared(merged.Records, merged.Overlaps(records, v.Overlaps(r.alias)))
	r.start.Peak, r.breadth = peaks(v, append(merged.Records, scratch...), spared)
}

// live records the size and lifetime of each tensor, and of the scratch of called subgraphs.
func (r *Row) live(v *rules.View, records []lifetime.Record) {
	s := &v.Model.Subgraphs[0]
	for i := range r.first {
		r.first[i], r.last[i] = len(s.Operators), -1
	}
	at := operatorAt(v)
	for i, record := range records {
		alive := stay{first: at(record.First), last: at(record.Last), size: record.Size}
		if i < len(v.Usage.Places) && v.Usage.Places[i].Subgraph == 0 {
			t := v.Usage.Places[i].Tensor
			r.size[t], r.first[t], r.last[t] = alive.size, alive.first, alive.last
		} else if alive.last >= 0 {
			r.called = append(r.called, alive)
		}
	}
	for _, t := range s.Outputs {
		if t >= 0 && r.size[t] > 0 {
			r.last[t] = len(s.Operators)
		}
	}
}

// errPiece is the reason for not tiling an operator that works on tiles.
var errPiece = errors.New("it works on a piece that was cut before")

// Cuttable returns, for each operator of subgraph 0, the reasons why it is not tiled, along
// height and width and along the channels; nil if it may be. An operator whose kernel computes
// wrong results stays whole.
func Cuttable(v *rules.View) (rows, channels []error) {
	return withhold(v, split.Cuttable(v.Model)), withhold(v, split.ChannelCuttable(v.Model))
}

// tallest is the largest height or width of an output that is tiled: its tiles take time and memory in
// proportion to it.
const tallest = 1 << 17

// isTall reports whether a dimension is larger than tallest, besides the channels.
func isTall(shape []int32) bool {
	if len(shape) > 1 {
		shape = shape[:len(shape)-1]
	}
	return slices.ContainsFunc(shape, func(d int32) bool { return d > tallest })
}

func withhold(v *rules.View, errs []error) []error {
	s := &v.Model.Subgraphs[0]
	for i := range errs {
		for _, t := range s.Operators[i].Outputs {
			if t >= 0 && errs[i] == nil && isTall(s.Tensors[t].Shape) {
				errs[i] = &split.UncuttableError{Operator: i, Name: s.Operators[i].Name, Reason: fmt.Sprintf("its output has more than %d rows or columns", tallest)}
			}
		}
	}
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

// leavePieces excludes existing tiled blocks: their tiling was chosen before, and tiles of
// tiles add many operators for little gain.
func (r *Row) leavePieces() {
	record := blocks.Of(r.model)
	s := &r.model.Subgraphs[0]
	for i := range s.Operators {
		if record.Tiled(0, &s.Operators[i]) {
			r.cuttable[i], r.channels[i] = errPiece, errPiece
		}
	}
}

// Len returns the number of operators; boundaries range from 0 to it, inclusive.
func (r *Row) Len() int { return len(r.breadth) }

// base returns the index of the first tensor added by a fragment alone.
func (r *Row) base() int { return len(r.model.Subgraphs[0].Tensors) }

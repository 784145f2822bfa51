package shrink

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/rewrite/shrink/internal/parts"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// Cause is what limits the size of a model.
type Cause string

const (
	// ByTensors and ByScratch are most of the live bytes at an operator.
	ByTensors Cause = "tensors"
	ByScratch Cause = "scratch"
	// ByTail is persistent memory larger than the head.
	ByTail Cause = "tail"
	// BySetup is memory that the runtime needs temporarily while it allocates.
	BySetup Cause = "setup"
)

// Bottleneck is what limits the size of a model, and the operator with the most live bytes.
type Bottleneck struct {
	Cause Cause
	// Operator is the index in a subgraph of the model, or -1 if the peak comes before the first
	// operator; Name is its kind.
	Subgraph, Operator int
	Name               string
	// Bytes are the live bytes, with in-place and overlapping outputs: the lower bound of the head.
	// Scratch is the part that kernels request, ScratchSource the kernel library or file that it is from.
	// Tensors hold the rest, largest first.
	Bytes, Scratch int64
	ScratchSource  string
	Tensors        []Alive
	// Tail are the items of the tail, largest first. Required is the required arena, and Stage the stage
	// of the allocation at which most of it is in use. They are for the causes [ByTail] and [BySetup].
	Tail     []rules.Part
	Required int64
	Stage    string
	// Reasons are sentences on why it is not smaller: why the operator is not tiled, or not tiled further.
	Reasons []string
}

// Alive is a live tensor.
type Alive struct {
	ID, Name string
	// Size is the memory of the tensor. Held is the part of it that is live, Added the part of that
	// which no tensor before it in the list shares: zero for a tensor that is in place.
	Size, Held, Added int64
}

// bottleneck returns what limits a candidate for a goal, or nil if nothing is planned.
func (s *Search) bottleneck(g *Goal, c *Candidate) (*Bottleneck, error) {
	b, o, err := peak(s.own, c, s.device)
	if b == nil || err != nil {
		return nil, err
	}
	if len(s.lists) == 0 && !s.stays() && b.Operator >= 0 {
		b.Reasons = []string{"the search ended before anything was tiled"}
	}
	if g.LeastHead && !g.bounded() || g.HeadBudget > 0 && (g.Budget == 0 || c.Required <= g.Budget) || !c.Known() {
		return b, nil
	}
	untiled := s.first.Tail
	if len(s.graphs) > 0 {
		untiled = s.graphs[0].tail
	}
	b.limitArena(o.Arena(s.device), c, untiled)
	return b, nil
}

// peak returns the operator with the most live bytes, and the outcome of the plan.
func peak(own *tflite.Model, c *Candidate, device rules.Device) (*Bottleneck, *pin.Outcome, error) {
	m, err := c.model(own)
	if err != nil {
		return nil, nil, err
	}
	carried, err := embedded.Follow(context.Background(), device, m, device.Kernels)
	if err != nil {
		return nil, nil, err
	}
	o := carried.Outcome
	use := o.PeakUse(c.Alias)
	if len(use.Live) == 0 {
		return nil, o, nil
	}
	b := &Bottleneck{Cause: ByTensors, Operator: -1, Bytes: use.Bytes, ScratchSource: device.ScratchSource()}
	for _, live := range use.Live {
		if r := o.Records[live.Record]; live.Record < o.Planned {
			b.Tensors = append(b.Tensors, Alive{ID: r.ID, Name: r.Name, Size: r.Size, Held: live.Held, Added: live.Added})
		} else {
			b.Scratch += live.Added
		}
	}
	if 2*b.Scratch > b.Bytes {
		b.Cause = ByScratch
	}
	if use.Position >= 0 {
		step := o.View.Usage.Steps[use.Position]
		if b.Subgraph = step.Subgraph; step.Operator >= 0 {
			b.Operator, b.Name = step.Operator, m.Subgraphs[step.Subgraph].Operators[step.Operator].Name
		}
	}
	if b.Reasons = reasons(o.View, b.Subgraph, b.Operator); use.Position < 0 {
		b.Reasons = []string{"the runtime places tensors together that no operator makes before they are read"}
	}
	return b, o, nil
}

// limitArena finds the cause if the required arena counts. ownTail is the tail without tiles, in
// bytes.
func (b *Bottleneck) limitArena(a rules.Arena, c *Candidate, ownTail int64) {
	why := "no memory plan makes the tail smaller: it grows with the operators and tensors of the file, and with what their kernels keep"
	switch {
	case c.Required > parts.RoundUp(c.Used):
		b.Cause = BySetup
		why = "no memory plan makes it smaller: the runtime needs it temporarily, beside the tail, before anything is planned"
	case c.Tail > c.Head:
		b.Cause = ByTail
	default:
		return
	}
	b.Required, b.Stage, b.Tail = c.Required, a.Decides, slices.Clone(a.Parts)
	sort.SliceStable(b.Tail, func(i, j int) bool { return b.Tail[i].Bytes > b.Tail[j].Bytes })
	list := []string{why}
	if more := c.Tail - ownTail; more > 0 && len(c.Stages) > 0 {
		list = append(list, "the tail has grown by "+units.ExactBytes(more)+", because tiling adds operators")
	}
	b.Reasons = append(list, b.Reasons...)
}

// reasons returns sentences on why an operator is not tiled further.
func reasons(v *rules.View, subgraph, operator int) []string {
	switch {
	case operator < 0 && subgraph == 0:
		return []string{"the inputs of the model are in the arena, whole, before the first operator runs"}
	case subgraph != 0:
		return []string{fmt.Sprintf("it is in subgraph %d, and only subgraph 0 is tiled", subgraph)}
	}
	m := v.Model
	record := blocks.Of(m)
	if tiled(m, record, operator) {
		why := fmt.Sprintf("already tiled (tiled blocks: %d); no finer tiling that helps was found", len(record.Blocks))
		return append([]string{why}, ends(m, operator)...)
	}
	rows, channels := parts.Cuttable(v)
	var list []string
	if why := reasonOf(rows[operator]); why != "" {
		list = append(list, "it cannot be cut into strips or tiles: "+why)
	}
	if why := reasonOf(channels[operator]); why != "" {
		list = append(list, "it cannot be cut along its channels: "+why)
	}
	list = append(list, ends(m, operator)...)
	switch {
	case rows[operator] == nil:
		list = append(list, neighbours(m, record, rows, operator, "into strips or tiles")...)
	case channels[operator] == nil:
		list = append(list, neighbours(m, record, channels, operator, "along their channels")...)
	}
	if len(list) == 0 {
		list = append(list, "it can be tiled, but no tiling was found that makes the arena smaller: each tile keeps data of its own in the tail")
	}
	return list
}

func reasonOf(err error) string {
	if e := (*split.UncuttableError)(nil); errors.As(err, &e) {
		return e.Reason
	}
	return ""
}

// tiled reports whether an operator of subgraph 0 reads or writes tiles.
func tiled(m *tflite.Model, record *blocks.Record, operator int) bool {
	return record.Tiled(0, &m.Subgraphs[0].Operators[operator])
}

// ends describes the tensors of an operator that the application reads or writes; tiling does
// not reduce these.
func ends(m *tflite.Model, operator int) (list []string) {
	s := &m.Subgraphs[0]
	o := &s.Operators[operator]
	for i, t := range o.Inputs {
		if t >= 0 && s.Tensors[t].Input && !slices.Contains(o.Inputs[:i], t) {
			list = append(list, fmt.Sprintf("its input, tensor 0:%d, is an input of the model, which the application writes as a whole", t))
		}
	}
	for _, t := range o.Outputs {
		if t >= 0 && s.Tensors[t].Returned {
			list = append(list, fmt.Sprintf("its output, tensor 0:%d, is an output of the model, which the application reads as a whole", t))
		}
	}
	return list
}

// neighbours describes the operators that bound the tileable run around an operator: tensors
// exchanged with them are whole.
func neighbours(m *tflite.Model, record *blocks.Record, cuttable []error, operator int, how string) (list []string) {
	for _, step := range []int{-1, 1} {
		at := operator + step
		for at >= 0 && at < len(cuttable) && cuttable[at] == nil {
			at += step
		}
		if at < 0 || at >= len(cuttable) {
			continue
		}
		side := "after"
		if step > 0 {
			side = "before"
		}
		why := reasonOf(cuttable[at])
		if tiled(m, record, at) {
			why = "already tiled"
		}
		list = append(list, fmt.Sprintf("the run of operators that can be cut %s with it ends %s operator 0:%d %s, which cannot be cut that way: %s",
			how, side, at, m.Subgraphs[0].Operators[at].Name, why))
	}
	return list
}

package pin

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// Outcome is the result of a memory plan in TensorFlow Lite Micro. All sizes are in bytes.
type Outcome struct {
	// View is the model as the runtime sees it under the plan: a variable with an offset is an
	// ordinary tensor.
	View *rules.View
	// Records are the tensors, followed by the scratch; Offsets are their final offsets.
	Records []lifetime.Record
	Offsets []int64
	// Head is the size of the arena's head.
	Head int64
	// Pinned is the number of tensors fixed by the plan, Planned the number that need memory.
	Pinned, Planned int
	// Shared reports that fixed tensors share memory while both are live. The runtime allows
	// that, but no lower bound holds then.
	Shared bool

	model   *tflite.Model
	offsets []int32
	scratch []rules.Request
}

// Follow returns the result of a memory plan of m, by the runtime's rules
// ([rules.Device.Rules], or [rules.OlderMicro]): tensors with an offset are placed there,
// overlapping or not, and the runtime places all other tensors and the scratch around them.
// offsets holds one offset for each tensor of all subgraphs, in file order, and -1 for the
// runtime's choice; nil means no plan.
//
// Follow returns an error if the runtime would reject the plan or place a tensor before the
// arena, and if subgraph calls are too numerous to follow ([lifetime.ErrTooLarge]).
func Follow(ctx context.Context, r rules.Rules, m *tflite.Model, offsets []int32, scratch []rules.Request) (*Outcome, error) {
	if err := followable(m, offsets); err != nil {
		return nil, err
	}
	v, err := r.View(activated(m, offsets), -1)
	if err != nil {
		return nil, err
	}
	o := &Outcome{View: v, model: m, offsets: offsets, scratch: scratch}
	o.Records, o.Planned = o.View.WithScratch(scratch), len(o.View.Records())
	start := starts(m)
	for i := range o.Records {
		// The runtime aligns sizes, and never an offset.
		o.Records[i].Align = 0
		if i >= o.Planned || offsets == nil {
			continue
		}
		at := o.View.Usage.Places[i]
		if offset := offsets[start[at.Subgraph]+at.Tensor]; offset >= 0 {
			o.Records[i].Pinned, o.Records[i].Offset = true, int64(offset)
			o.Pinned++
		}
	}
	return o, o.place(ctx)
}

// followable rejects plans that the runtime rejects or that cannot be simulated.
func followable(m *tflite.Model, offsets []int32) error {
	if offsets == nil {
		return nil
	}
	tensors := 0
	for i := range m.Subgraphs {
		tensors += len(m.Subgraphs[i].Tensors)
	}
	if len(offsets) != tensors {
		return fmt.Errorf("the plan has %d offsets, but the model has %d tensors", len(offsets), tensors)
	}
	for i, offset := range offsets {
		if offset < -1 {
			return fmt.Errorf("the plan places tensor %d at %d, in front of the arena", i, offset)
		}
	}
	return nil
}

// activated returns m as the runtime plans it under a memory plan: a variable with an offset is
// an ordinary tensor.
func activated(m *tflite.Model, offsets []int32) *tflite.Model {
	start := starts(m)
	return withVariables(m, offsets, func(subgraph, tensor int) int { return start[subgraph] + tensor })
}

// persistent returns m with only the variables that the runtime places in the tail under a
// memory plan. It looks up the index inside the variable's subgraph, as if that were the first.
func persistent(m *tflite.Model, offsets []int32) *tflite.Model {
	return withVariables(m, offsets, func(_, tensor int) int { return tensor })
}

// withVariables returns a copy of m in which tensors with a fixed entry in the plan are not
// variables.
func withVariables(m *tflite.Model, offsets []int32, entry func(subgraph, tensor int) int) *tflite.Model {
	if offsets == nil {
		return m
	}
	changed := *m
	changed.Subgraphs = slices.Clone(m.Subgraphs)
	for s := range changed.Subgraphs {
		tensors := slices.Clone(m.Subgraphs[s].Tensors)
		for t := range tensors {
			if offsets[entry(s, t)] != -1 {
				tensors[t].Variable = false
			}
		}
		changed.Subgraphs[s].Tensors = tensors
	}
	return &changed
}

// starts returns the plan index of the first tensor of each subgraph.
func starts(m *tflite.Model) []int {
	list, n := make([]int, len(m.Subgraphs)), 0
	for i := range m.Subgraphs {
		list[i] = n
		n += len(m.Subgraphs[i].Tensors)
	}
	return list
}

// place simulates the runtime's planner. If fixed tensors share memory on purpose, the planner of this
// package does, because that of package alloc rejects overlaps.
func (o *Outcome) place(ctx context.Context) error {
	plan, err := alloc.Solve(ctx, o.Records, alloc.Options{Approach: alloc.Offsets, Strategy: alloc.TFLMGreedy})
	if violation := (*check.Violation)(nil); errors.As(err, &violation) {
		o.Shared = true
		o.Offsets, o.Head, err = greedy(ctx, o.Records)
		return err
	}
	if err == nil {
		o.Offsets, o.Head = plan.Offsets, plan.Total
	}
	return err
}

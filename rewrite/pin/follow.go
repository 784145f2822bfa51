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

// An Outcome is what TensorFlow Lite Micro makes of a memory plan. All sizes are in
// bytes.
type Outcome struct {
	// View is the model as the runtime sees it under the plan: a variable with an
	// offset is a tensor like others.
	View *rules.View
	// Records are the tensors, followed by the scratch. Offsets says where each ends up.
	Records []lifetime.Record
	Offsets []int64
	// Head is the part of the arena that all of them take.
	Head int64
	// Pinned is how many tensors the plan fixes, of Planned that need memory.
	Pinned, Planned int
	// Shared says that tensors which the plan fixes share memory while both are alive. The
	// runtime allows that, but no lower bound holds then.
	Shared bool

	model   *tflite.Model
	offsets []int32
	scratch []rules.Request
}

// Follow returns what the runtime makes of a memory plan of m, by its rules ([rules.Device.Rules], or
// [rules.OlderMicro]): tensors with an offset lie
// there, whether they overlap or not, and the runtime places all other tensors and the
// scratch around them. offsets holds one offset for each tensor of all subgraphs, in the
// order of the file, and -1 where the runtime is to choose; nil stands for no plan.
//
// It is an error when the runtime would refuse the plan or place a tensor in front of the
// arena, and when subgraphs call each other too often to be followed
// ([lifetime.ErrTooLarge]).
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

// followable refuses plans that the runtime refuses or that nobody can follow.
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

// activated returns m as the runtime plans it under a memory plan: with an offset of
// its own, a variable is a tensor like others.
func activated(m *tflite.Model, offsets []int32) *tflite.Model {
	start := starts(m)
	return withVariables(m, offsets, func(subgraph, tensor int) int { return start[subgraph] + tensor })
}

// persistent returns m with those variables alone that the runtime puts into the
// tail under a memory plan. It asks the plan for the index inside the variable's
// subgraph, as if that were the first.
func persistent(m *tflite.Model, offsets []int32) *tflite.Model {
	return withVariables(m, offsets, func(_, tensor int) int { return tensor })
}

// withVariables returns a copy of m in which tensors whose entry of the plan is fixed
// are no variables.
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

// starts returns the index in a plan of the first tensor of each subgraph.
func starts(m *tflite.Model) []int {
	list, n := make([]int, len(m.Subgraphs)), 0
	for i := range m.Subgraphs {
		list[i] = n
		n += len(m.Subgraphs[i].Tensors)
	}
	return list
}

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

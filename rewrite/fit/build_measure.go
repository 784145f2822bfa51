package fit

import (
	"context"
	"fmt"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/tflite"
)

// large is the number of operators, or of planned tensors, from which planning a file takes
// about a second.
const large = 1000

// measure plans a model and returns its figures in the real runtime.
func (f *fitter) measure(ctx context.Context, name string, m *tflite.Model, o pin.Options) (*Rung, error) {
	v, err := f.micro(m)
	if err != nil {
		return nil, err
	}
	o.Mode, o.Scratch = pin.Peak, f.goal.Device.Requests(m)
	if len(v.Records()) > large {
		o.Mode = pin.All // finding unnecessary pins takes too long
	}
	choice, err := pin.Choose(ctx, v, o)
	if err != nil {
		return nil, err
	}
	data := m.Data
	if choice.Offsets != nil {
		embed := rewrite.Options{Force: f.goal.Force}
		if len(choice.Overlaps) > 0 {
			embed.Marker = rewrite.OverlapMarker(string(o.Alias), f.goal.Device.Kernels)
		}
		planned, err := rewrite.Embed(m, choice.Offsets, embed)
		if err != nil {
			return nil, err
		}
		data = planned.Data
	}
	r, err := f.rung(ctx, name, m, data, choice.Offsets, len(choice.Taken))
	if err != nil {
		return nil, err
	}
	r.Overlaps = len(choice.Overlaps)
	return r, nil
}

// rung returns a model's figures under a memory plan; data is its file with that plan.
func (f *fitter) rung(ctx context.Context, name string, m *tflite.Model, data []byte, offsets []int32, takeovers int) (*Rung, error) {
	o, err := pin.Follow(context.WithoutCancel(ctx), f.goal.Device.Rules(), m, offsets, f.goal.Device.Requests(m))
	if err != nil {
		return nil, err
	}
	r := f.rungOf(name, m, o)
	r.Data, r.FileBytes, r.Takeovers = data, int64(len(data)), takeovers
	return r, nil
}

// rungOf returns a model's figures for an outcome of the runtime.
func (f *fitter) rungOf(name string, m *tflite.Model, o *pin.Outcome) *Rung {
	arena := o.Arena(f.goal.Device)
	return &Rung{
		Name: name, Figures: arena.Figures, setup: arena.Setup,
		Operators: len(m.Subgraphs[0].Operators), record: blocks.Size(m), wrong: len(rules.Overwritten(m)) > 0 || len(rules.Introduced(f.report.Faults, f.goal.Device.Rules().Faults(m))) > 0,
	}
}

// micro returns the runtime's view of a model with the goal's kernels, which determine the
// permitted memory sharing.
func (f *fitter) micro(m *tflite.Model) (*rules.View, error) {
	return seen(m, f.goal.Device.Rules())
}

// micro returns the runtime's view of a model without regard to kernels.
func micro(m *tflite.Model) (*rules.View, error) { return seen(m, rules.Micro()) }

func seen(m *tflite.Model, r rules.Rules) (*rules.View, error) {
	v, err := r.View(m, -1)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	return v, nil
}

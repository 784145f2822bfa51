package app

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
)

// A Solver runs a strategy. Its errors name the model.
type Solver func(context.Context, []lifetime.Record, alloc.Options) (*alloc.Plan, error)

// A Subject is an unmodified model as a runtime sees it.
type Subject struct {
	View *rules.View
	// Records are the tensors, followed by the scratch if counted.
	Records []lifetime.Record
	// The rest is for TensorFlow Lite Micro only, and Carried is nil for other runtimes: the device,
	// the embedded plan as the runtime follows it, if any, and the resulting arena.
	Device  rules.Device
	Carried *embedded.Carried
	Arena   rules.Arena
	// Older is the model in an older TensorFlow Lite Micro, or nil if its codes hide nothing from that.
	Older *embedded.Older

	notes   []results.Note // on the figures
	kernels string         // kernels for checking the embedded plan; empty means its marker's
}

// Plain returns a model for a runtime without embedded plans.
func Plain(v *rules.View) *Subject {
	return &Subject{View: v, Records: v.Records(), notes: results.RuleNotes(v.Notes)}
}

// Micro returns a model as TensorFlow Lite Micro sees it on a device. An embedded plan is checked with
// the given kernels, or else its marker's. The error is ctx.Err() when ctx ends first, and otherwise
// about a model that cannot be followed.
func Micro(ctx context.Context, v *rules.View, device rules.Device, kernels string) (*Subject, error) {
	carried, err := embedded.Follow(ctx, device, v.Model, kernels)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	s := &Subject{View: v, Records: v.WithScratch(carried.Requests), kernels: kernels, Carried: carried, Device: device, Arena: carried.Outcome.Arena(device)}
	if s.Older, err = embedded.FollowOlder(ctx, device, v.Model); err != nil {
		return nil, err
	}
	// The whole arena is counted here; the view's own note excludes a part.
	counted := slices.DeleteFunc(slices.Clone(v.Notes), func(n rules.Note) bool { return n.Kind == rules.NotCounted })
	s.notes = append(results.RuleNotes(counted), notes.ScratchNote(device, v.Model))
	s.notes = append(s.notes, notes.ReplacedNotes(v.Model, device)...)
	if carried.Followed() {
		s.notes = append(s.notes, notes.MarkerNotes(carried.Marker, device.Kernels)...)
	}
	if carried.Followed() && carried.Outcome.Shared {
		s.notes = append(s.notes, results.Note{
			Kind: results.NoteShared, Text: "in the embedded plan, tensors share memory on purpose, and the lower bound does not allow for that",
		})
	}
	return s, nil
}

// warnings are about the model, its embedded plan, and an unknown arena.
func (s *Subject) warnings() []results.Note {
	list := notes.Warnings(s.View)
	if s.Carried != nil {
		list = append(append(list, notes.PlanWarnings(s.Carried, s.View.Model)...), notes.UnknownArena(s.Arena.Figures)...)
	}
	return list
}

// WithHead returns the arena with a head of so many bytes.
func (s *Subject) WithHead(bytes int64) rules.Arena {
	o := *s.Carried.Outcome
	o.Head = bytes
	return o.Arena(s.Device)
}

// layout returns the runtime's places: from the embedded plan, if the runtime follows it, or else from
// a plan of the records.
func (s *Subject) layout(plan *alloc.Plan) *results.Layout {
	if s.Carried != nil {
		return results.CarriedLayout(s.Carried, alloc.LowerBound(alloc.Offsets, s.Records))
	}
	by := "placed by the strategy " + plan.Winner
	if s.View.Rules.Planner != "" {
		by = "placed by the planner of " + s.View.Rules.Title
	}
	return &results.Layout{View: s.View, Records: s.Records, Offsets: plan.Offsets, Total: plan.Total, LowerBound: plan.LowerBound, By: by}
}

// Marker returns the marker of the embedded plan, or nil if there is none or the runtime reads none.
func (s *Subject) Marker() *rewrite.Marker {
	if s.Carried == nil {
		return nil
	}
	return s.Carried.Marker
}

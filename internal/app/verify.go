package app

import (
	"context"
	"fmt"

	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/verify"
	"github.com/tflarena/tflarena/tflite"
)

// Verify judges the embedded plan of a model for some kernels, or else its marker's. Device returns the device of the
// figures for a marker, which is nil if there is none. The errors are those of [verify.PlanFor] and of device, ctx.Err(), or
// an [*InputError] for a model that the runtime cannot follow, whatever the scratch.
func Verify(ctx context.Context, m *tflite.Model, kernels string, device func(*rewrite.Marker) (rules.Device, error)) (*results.Verification, error) {
	found, err := verify.PlanFor(m, kernels)
	if err != nil {
		return nil, err
	}
	v := results.NewVerification(m.Name, found)
	d, err := device(v.Marker)
	if err != nil {
		return nil, err
	}
	v.Warnings = append(append(notes.Unusual(m), notes.AllFaults(d.Rules().Faults(m))...), notes.UnknownLibrary(v.Marker)...)
	for _, md := range m.Metadata {
		if md.Name == rewrite.PlanName {
			v.Plans++
		}
	}
	return v, addHead(ctx, d, m, v)
}

// addHead adds the head of the plan in the runtime, with the scratch of its kernels, if the runtime can
// follow it. The verdict about the plan does not depend on it.
func addHead(ctx context.Context, d rules.Device, m *tflite.Model, v *results.Verification) error {
	v.Scratch, v.KernelLibrary = d.ScratchSource(), results.NewKernelLibrary(d)
	v.ScratchNote = notes.ScratchCounted(v.Scratch, len(d.Requests(m)))
	e, err := embedded.Follow(ctx, d, m, "")
	if err == nil && e.Problem == nil {
		v.Head = &e.Outcome.Head
	}
	if err == nil {
		return nil
	}
	v.Warnings = append(v.Warnings, results.Note{Kind: results.WarnNoHead, Text: fmt.Sprintf("the head is not known (scratch: %s): %v", v.Scratch, err)})
	if _, err = embedded.Follow(ctx, d.WithoutScratch(), m, ""); err != nil && ctx.Err() == nil {
		err = &InputError{err}
	}
	return err
}

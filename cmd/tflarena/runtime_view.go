package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// view parses a model and returns it as a runtime sees it, with the shapes of --shape.
func (p *program) view(title string, data []byte, r *runtimeChoice) (*rules.View, error) {
	m, err := tflite.Parse(data, title)
	if err != nil {
		return nil, named(title, err)
	}
	if m, err = p.reshaped(m); err != nil {
		return nil, err
	}
	return viewOf(m, r.rules, r.subgraph)
}

func viewOf(m *tflite.Model, r rules.Rules, subgraph int) (*rules.View, error) {
	title := m.Name
	v, err := r.View(m, subgraph)
	if errors.Is(err, lifetime.ErrTooLarge) {
		return nil, named(title, invalidError{err})
	}
	if err != nil {
		return nil, usagef("%s: %v", title, err)
	}
	if err := lifetime.CheckRecords(v.Records()); err != nil {
		return nil, named(title, invalidError{err})
	}
	return v, nil
}

// unmodified returns an unmodified model under the rules of the runtime, on the device.
func (r *runtimeChoice) unmodified(ctx context.Context, m *tflite.Model) (*app.Subject, error) {
	if !r.rules.IsMicro() {
		v, err := viewOf(m, r.rules, r.subgraph)
		if err != nil {
			return nil, err
		}
		return app.Plain(v), nil
	}
	d, err := r.on(ctx, m)
	if err != nil {
		return nil, err
	}
	v, err := viewOf(m, r.rules.On(d), r.subgraph)
	if err != nil {
		return nil, err
	}
	s, err := app.Micro(ctx, v, d, r.kernels)
	if err != nil {
		return nil, unfollowed(ctx, m.Name, err)
	}
	if err := lifetime.CheckRecords(s.Records); err != nil {
		return nil, named(m.Name, invalidError{fmt.Errorf("with --scratch %s: %w", r.scratch, err)})
	}
	return s, nil
}

// follow reads the plan of a model and follows it, until an interrupt. It is checked with the given
// kernels, or else its marker's.
func follow(ctx context.Context, d rules.Device, m *tflite.Model, kernels string) (*embedded.Carried, error) {
	carried, err := embedded.Follow(ctx, d, m, kernels)
	if err != nil || ctx.Err() != nil {
		return nil, unfollowed(ctx, m.Name, err)
	}
	return carried, nil
}

// unfollowed returns the reason why a model could not be followed, until an interrupt.
func unfollowed(ctx context.Context, title string, err error) error {
	if ctx.Err() != nil {
		return interruptedError{}
	}
	return named(title, invalidError{err})
}

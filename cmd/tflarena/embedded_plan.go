package main

import (
	"context"

	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

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

package pin_test

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
)

// countdown is a context that ends when it has been asked so many times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// Whenever time runs out, Choose has no plan or one that holds what it promises.
func TestChooseInterrupted(t *testing.T) {
	none, early := 0, 0
	property.Until(t, func() bool { return none > 0 && early > 0 }, func(t *rapid.T) {
		m := drawLine(t)
		mode := rapid.SampledFrom([]pin.Mode{pin.Peak, pin.All}).Draw(t, "mode")
		ctx := &countdown{context.Background(), rapid.OneOf(rapid.IntRange(0, 1), rapid.IntRange(0, 60)).Draw(t, "left")}
		choice, err := pin.Choose(ctx, sample.Micro(t, m), pin.Options{Mode: mode})
		if err != nil {
			none++
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			return
		}
		if choice.Interrupted {
			early++
		}
		o, err := pin.Follow(context.Background(), rules.Micro(), m, choice.Offsets, nil)
		if err != nil {
			t.Fatal(err)
		}
		if o.Head != choice.Head || choice.Head > choice.Own {
			t.Fatalf("%+v, followed: head %d", choice, o.Head)
		}
	})
}

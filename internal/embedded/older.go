package embedded

import (
	"context"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// Older is a model in a TensorFlow Lite Micro built before [rules.OlderMicroUntil].
type Older struct {
	Arena rules.Arena
	// Crashes reports that AllocateTensors crashes: an operator of a subgraph that this runtime does
	// not find requests scratch.
	Crashes bool
}

// FollowOlder returns a model in an older runtime, nil if its codes hide nothing from it.
func FollowOlder(ctx context.Context, d rules.Device, m *tflite.Model) (*Older, error) {
	if rules.CountHiddenCalls(m) == 0 {
		return nil, nil
	}
	c, err := followBy(ctx, rules.OlderMicro().On(d), d, m, "")
	if err != nil {
		return nil, err
	}
	return &Older{Arena: c.Outcome.Arena(d), Crashes: c.Outcome.View.RequestsUnseen(c.Requests)}, nil
}

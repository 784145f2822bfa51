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
func FollowOlder(ctx context.Context, m *tflite.Model, scratch []rules.Request, device rules.Device) (*Older, error) {
	if rules.CountHiddenCalls(m) == 0 {
		return nil, nil
	}
	older := rules.OlderMicro()
	older.DecompressionMemory = device.DecompressionMemory
	c, err := Follow(ctx, older, m, scratch, "")
	if err != nil {
		return nil, err
	}
	return &Older{Arena: c.Outcome.Arena(device), Crashes: c.Outcome.View.RequestsUnseen(scratch)}, nil
}

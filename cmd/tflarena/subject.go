package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// asItIs returns an unmodified model under a rule set, on the device of the flags.
func asItIs(c *cli.Context, m *tflite.Model, r rules.Rules) (*app.Subject, error) {
	subgraph := -1
	if c.IsSet("subgraph") {
		subgraph = c.Int("subgraph")
	}
	var d rules.Device
	if r.IsMicro() {
		var err error
		if d, err = deviceFor(c, m); err != nil {
			return nil, err
		}
		r = r.On(d)
	}
	v, err := viewOf(m, r, subgraph)
	if err != nil {
		return nil, err
	}
	if !r.IsMicro() {
		return app.Plain(v), nil
	}
	s, err := app.Micro(c.Context, v, d, chosenKernels(c, d))
	if err != nil {
		return nil, unfollowed(c.Context, m.Name, err)
	}
	if err := lifetime.CheckRecords(s.Records); err != nil {
		return nil, named(m.Name, invalidError{fmt.Errorf("with --scratch %s: %w", c.String("scratch"), err)})
	}
	return s, nil
}

// scratchForMicro rejects flags of TensorFlow Lite Micro under the rules of another runtime.
func scratchForMicro(c *cli.Context, r rules.Rules) error {
	if r.IsMicro() {
		return nil
	}
	for _, f := range scratchFlags("") {
		if flag := f.Names()[0]; c.IsSet(flag) {
			return usagef("%s is for TensorFlow Lite Micro: leave it out, or use --runtime %s", dashed(flag), rules.Micro().Name)
		}
	}
	return nil
}

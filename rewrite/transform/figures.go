package transform

import (
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// least returns the required arena of a model with a plan that takes no more than the operator with the
// largest breadth. Most models have such a plan, and this bound is computed much faster. The error is that of [rules.Rules.View].
func least(m *tflite.Model, d rules.Device) (int64, error) {
	v, err := d.Rules().View(m, -1)
	if err != nil {
		return 0, err
	}
	requests := d.Requests(m)
	return rules.Load{
		Kept: m, Planned: len(v.Records()), Head: lifetime.MaxBreadth(v.WithScratch(requests)), Requests: requests,
	}.Arena(d).Size(), nil
}

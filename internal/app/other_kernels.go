package app

import (
	"context"

	"github.com/tflarena/tflarena/internal/budget"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// OtherKernels returns the verdicts on the unmodified model with other kernel libraries, named with or
// without a release, with the same limits. It omits libraries that cannot be followed.
func (s *Subject) OtherKernels(ctx context.Context, limits budget.Limits, libraries []string) (list []results.OtherBuild) {
	limits.Growth, limits.Base = nil, nil // which are those of the figures' own kernels
	for _, name := range libraries {
		d, err := rules.UsualDevice(name)
		if err != nil || d.IsReference() {
			continue
		}
		v, err := d.Rules().View(s.View.Model, -1)
		if err != nil {
			continue
		}
		other, err := Micro(ctx, v, d, d.Kernels)
		if ctx.Err() != nil {
			return nil
		}
		if err == nil {
			r := other.Check(limits, nil, false)
			list = append(list, results.OtherBuild{Kernels: name, Verdict: r.Verdict, Required: r.Required})
		}
	}
	return list
}

package main

import (
	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/budget"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// checkOne checks a model. For one of several models it also computes the possible gain of a plan.
func (p *program) checkOne(c *cli.Context, file string, limits budget.Limits, among bool) (*results.Check, error) {
	m, err := p.loadModel(c.Context, file)
	if err != nil {
		return nil, err
	}
	if limits.None() && c.IsSet("budget") {
		return nil, named(m.Name, usagef("there is no budget for this model: add an entry for it to %s, or limits for all models", c.String("budget")))
	}
	s, err := asItIs(c, m, rules.Micro())
	if err != nil {
		return nil, err
	}
	base, err := p.base(c, file, limits)
	if err != nil {
		return nil, err
	}
	r := s.Check(limits, base, allowFaults(c, s.View.Faults()))
	r.Next = nextToFit(c, file, s.Device, s.Carried.Marker, r, limits)
	if among {
		best, err := s.Quickest(c.Context, p.solver(c, m.Name))
		if err != nil {
			return nil, err
		}
		r.Reachable(best)
	}
	p.warn(c, m.Name, r.Warnings)
	return r, nil
}

// unchecked returns an error as a result, so that a page or a report about several models includes it.
func unchecked(file string, err error) *results.Check {
	failed := noResult(file, err)
	return &results.Check{Input: failed.Input, Failed: failed}
}

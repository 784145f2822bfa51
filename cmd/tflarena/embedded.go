package main

import (
	"context"
	"fmt"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/rewrite/verify"
	"github.com/tflarena/tflarena/tflite"
)

// embedded is the memory plan that a model carries, if any, and what TensorFlow Lite
// Micro makes of the model.
type embedded struct {
	// plan is the plan in effect, nil where there is none that can be read.
	plan *rewrite.Plan
	// problem says why the runtime cannot follow the plan there is.
	problem error
	// outcome is with the plan, or without it where there is none to follow.
	outcome *pin.Outcome

	verification *verify.Report
	unverified   error
}

// follow reads the plan of a model and follows it.
func follow(title string, m *tflite.Model, scratch []rules.Request) (*embedded, error) {
	e := &embedded{}
	plans, err := rewrite.ReadPlans(m)
	if err != nil {
		e.problem = err
	} else if len(plans) > 0 {
		e.plan = &plans[len(plans)-1]
		e.outcome, e.problem = pin.Follow(context.Background(), m, e.plan.Offsets, scratch)
	}
	if e.outcome == nil || e.problem != nil {
		if e.outcome, err = pin.Follow(context.Background(), m, nil, scratch); err != nil {
			return nil, named(title, invalidError{err})
		}
	}
	return e, nil
}

// followed reports whether the outcome is that of a plan.
func (e *embedded) followed() bool { return e.plan != nil && e.problem == nil }

// verify judges the plan once.
func (e *embedded) verify(m *tflite.Model) (*verify.Report, error) {
	if e.verification == nil && e.unverified == nil {
		e.verification, e.unverified = verify.Plan(m)
	}
	return e.verification, e.unverified
}

// warnings says what is wrong with the plan.
func (e *embedded) warnings(m *tflite.Model) []string {
	if trouble := e.trouble(m); trouble != "" {
		return []string{"the memory plan that the model carries " + trouble}
	}
	return nil
}

// trouble says, of the plan, what is wrong with it; "" where nothing is, and where there
// is none.
func (e *embedded) trouble(m *tflite.Model) string {
	if e.problem != nil {
		return fmt.Sprintf("cannot be followed: %v", e.problem)
	}
	if e.plan == nil {
		return ""
	}
	v, err := e.verify(m)
	if err != nil {
		return fmt.Sprintf("was not verified: %v", err)
	}
	for _, f := range v.Findings {
		if f.Severity == verify.Failure {
			return fmt.Sprintf("is broken: %s; '%s verify' says more", f.Message, name)
		}
	}
	return ""
}

// planNote is what is said where a figure leaves the plan aside.
func planNote(m *tflite.Model) []string {
	for _, md := range m.Metadata {
		if md.Name == rewrite.PlanName {
			return []string{"a memory plan (" + rewrite.PlanName + ") is embedded in the model; the runtime would follow it, these figures do not"}
		}
	}
	return nil
}

package embedded

import (
	"context"
	"fmt"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/rewrite/verify"
	"github.com/tflarena/tflarena/tflite"
)

// Carried is the memory plan that a model carries, if any, and what TensorFlow Lite
// Micro makes of the model.
type Carried struct {
	// Plan is the plan in effect, nil where there is none that can be read.
	Plan *rewrite.Plan
	// Marker says with which kernels the plan is right, nil where the file does not say, or
	// what cannot be read.
	Marker *rewrite.Marker
	// Problem says why the runtime cannot follow the plan there is.
	Problem error
	// Outcome is with the plan, or without it where there is none to follow.
	Outcome *pin.Outcome

	// kernels are those that the plan is judged for, empty for those that its marker names.
	kernels      string
	verification *verify.Report
	unverified   error
}

// Follow reads the plan of a model and follows it as the runtime does by its rules. The plan
// is judged for kernels, or for those that its marker names where that is empty. Its error is ctx.Err() when ctx ends first, and
// otherwise about a model that cannot be followed without a plan either.
func Follow(ctx context.Context, by rules.Rules, m *tflite.Model, scratch []rules.Request, kernels string) (*Carried, error) {
	c := &Carried{kernels: kernels}
	plans, err := rewrite.ReadPlans(m)
	if err != nil {
		c.Problem = err
	} else if len(plans) > 0 {
		c.Plan = &plans[len(plans)-1]
		c.Marker, _ = rewrite.ReadMarker(m) // what is wrong with it is the verdict's: see Trouble
		c.Outcome, c.Problem = pin.Follow(ctx, by, m, c.Plan.Offsets, scratch)
	}
	if c.Outcome == nil || c.Problem != nil {
		if c.Outcome, err = pin.Follow(ctx, by, m, nil, scratch); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Followed reports whether the outcome is that of a plan.
func (c *Carried) Followed() bool { return c.Plan != nil && c.Problem == nil }

// Largest returns the largest tensor that the runtime plans, the first of equals: the zero value
// where it plans none that takes any memory.
func (c *Carried) Largest() (largest lifetime.Record) {
	for _, r := range c.Outcome.Records[:c.Outcome.Planned] {
		if r.Size > largest.Size {
			largest = r
		}
	}
	return largest
}

// verify judges the plan once.
func (c *Carried) verify(m *tflite.Model) (*verify.Report, error) {
	if c.verification == nil && c.unverified == nil {
		c.verification, c.unverified = verify.PlanFor(m, c.kernels)
	}
	return c.verification, c.unverified
}

// Foreign says why the plan of the model is another tool's, or "". A plan that the
// runtime cannot follow is nobody's.
func (c *Carried) Foreign(m *tflite.Model) string {
	if !c.Followed() {
		return ""
	}
	v, _ := c.verify(m) // without a verdict the header may say enough
	return c.Plan.Foreign(m, v.Aliases())
}

// A Trouble is a kind of what can be wrong with a plan.
type Trouble int

// What can be wrong with a plan.
const (
	Sound      Trouble = iota // nothing, or there is no plan
	Unfollowed                // the runtime cannot follow it
	Unverified                // there is no verdict
	Broken                    // it breaks a law
)

// Trouble says, of the plan, what is wrong with it; "" where it is sound.
func (c *Carried) Trouble(m *tflite.Model) (Trouble, string) {
	if c.Problem != nil {
		return Unfollowed, fmt.Sprintf("cannot be followed: %v", c.Problem)
	}
	if c.Plan == nil {
		return Sound, ""
	}
	v, err := c.verify(m)
	if err != nil {
		return Unverified, fmt.Sprintf("was not verified: %v", err)
	}
	for _, f := range v.Findings {
		switch {
		case f.Severity != verify.Failure:
		case f.Law == verify.LawMarker && c.ForOthers():
			return Broken, "is for other kernels: " + f.Message
		default:
			return Broken, "is broken: " + f.Message
		}
	}
	return Sound, ""
}

// ForOthers reports whether the marker names other kernels than those that the plan is judged for.
func (c *Carried) ForOthers() bool {
	return c.Marker != nil && c.kernels != "" && rules.WithRelease(c.kernels) != rules.WithRelease(c.Marker.Kernels)
}

// ForeignGoes warns of the loss of another tool's plan, given what shows that it is one.
func ForeignGoes(foreign string) string {
	return "the plan of another tool is lost (" + foreign + "); its custom operators may rely on that plan"
}

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

// Carried is the memory plan embedded in a model, if any, and its effect in TensorFlow Lite Micro.
type Carried struct {
	// Plan is the effective plan, or nil if it is missing or unreadable.
	Plan *rewrite.Plan
	// Marker names the kernels that the plan requires, or nil if it is missing or unreadable.
	Marker *rewrite.Marker
	// Problem is the reason why the runtime cannot follow the plan.
	Problem error
	// Outcome is the result with the plan, or without a plan to follow.
	Outcome *pin.Outcome
	// Requests are the scratch requests of the device's kernels.
	Requests []rules.Request

	// kernels are the kernels for checking the plan, empty for its marker's.
	kernels      string
	verification *verify.Report
	unverified   error
}

// Follow reads the plan of a model and follows it as the runtime does on a device. The plan is
// checked with kernels, or if empty with its marker's. The error is ctx.Err() when ctx ends first, and
// otherwise about a model that cannot be followed even without a plan.
func Follow(ctx context.Context, d rules.Device, m *tflite.Model, kernels string) (*Carried, error) {
	return followBy(ctx, d.Rules(), d, m, kernels)
}

// followBy is [Follow] in a runtime with other rules.
func followBy(ctx context.Context, by rules.Rules, d rules.Device, m *tflite.Model, kernels string) (*Carried, error) {
	c := &Carried{Requests: d.Requests(m), kernels: kernels}
	plans, err := rewrite.ReadPlans(m)
	if err != nil {
		c.Problem = err
	} else if len(plans) > 0 {
		c.Plan = &plans[len(plans)-1]
		c.Marker, _ = rewrite.ReadMarker(m) // the verdict reports its errors: see Trouble
		c.Outcome, c.Problem = pin.Follow(ctx, by, m, c.Plan.Offsets, c.Requests)
	}
	if c.Outcome == nil || c.Problem != nil {
		if c.Outcome, err = pin.Follow(ctx, by, m, nil, c.Requests); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Followed reports whether the outcome is with a plan.
func (c *Carried) Followed() bool { return c.Plan != nil && c.Problem == nil }

// Largest returns the largest tensor that the runtime plans, the first of equal ones; the zero value
// without non-empty tensors.
func (c *Carried) Largest() (largest lifetime.Record) {
	for _, r := range c.Outcome.Records[:c.Outcome.Planned] {
		if r.Size > largest.Size {
			largest = r
		}
	}
	return largest
}

// verify checks the plan once.
func (c *Carried) verify(m *tflite.Model) (*verify.Report, error) {
	if c.verification == nil && c.unverified == nil {
		c.verification, c.unverified = verify.PlanFor(m, c.kernels)
	}
	return c.verification, c.unverified
}

// Foreign returns the reason to assume that the plan is another tool's, or "". A plan that the runtime
// cannot follow has no owner.
func (c *Carried) Foreign(m *tflite.Model) string {
	if !c.Followed() {
		return ""
	}
	v, _ := c.verify(m) // without a verdict the header may suffice
	return c.Plan.Foreign(m, v.Aliases())
}

// A Trouble is a kind of fault of a plan.
type Trouble int

// Faults of a plan.
const (
	Sound      Trouble = iota // no fault, or no plan
	Unfollowed                // the runtime cannot follow it
	Unverified                // there is no verdict
	Broken                    // it breaks a law
)

// Trouble returns the fault of the plan, and a description; "" if it is sound.
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

// ForOthers reports whether the marker names other kernels than those used for checking the plan.
func (c *Carried) ForOthers() bool {
	return c.Marker != nil && c.kernels != "" && rules.WithRelease(c.kernels) != rules.OfMarker(c.Marker.Kernels)
}

// ForeignGoes warns of the loss of another tool's plan, with the evidence for it.
func ForeignGoes(foreign string) string {
	return "the plan of another tool is lost (" + foreign + "); its custom operators may rely on that plan"
}

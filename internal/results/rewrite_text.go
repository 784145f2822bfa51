package results

import (
	"fmt"
	"strings"
)

// Text returns the result for people: the required arena first.
func (r *Rewrite) Text(s Style) string {
	var b strings.Builder
	before, after := r.Before, r.After
	build := builtFor(r.ABI, r.Kernels)
	if after.Known() {
		s.line(&b, "required", s.Paint.Strong(s.bytes(after.Required))+s.was(after.Required, before.Required)+" ("+build+")")
		s.line(&b, "used", s.bytes(after.Used)+s.was(after.Used, before.Used))
	} else {
		s.line(&b, "required", s.Paint.Bad("not known")+" ("+build+"): "+s.unknown(after.Figures))
	}
	s.line(&b, "head", s.bytes(after.Head)+", "+r.gain(s))
	if after.Known() {
		s.line(&b, "tail", s.bytes(after.Tail)+s.was(after.Tail, before.Tail))
	}
	s.kernels(&b, r.KernelLibrary)
	if r.OnlineBytes != r.compared() {
		s.line(&b, "without plan", s.bytes(r.OnlineBytes))
	}
	s.line(&b, "lower bound", s.bytes(r.LowerBoundBytes)+r.unshared())
	if r.Order != nil {
		s.line(&b, "order", r.order(s))
	}
	s.line(&b, "plan", r.plan())
	s.rules(&b, r.Rules)
	s.savings(&b, r.Slimmed)
	s.untouched(&b, r.LeftUntouched)
	s.line(&b, "file", r.file(s))
	s.added(&b, r.NewOperators)
	for _, change := range r.Changes {
		s.line(&b, "change", change)
	}
	if r.Method != "unchanged" {
		s.line(&b, "checked", "the result was parsed again, its plan verified and its head simulated")
	}
	for _, note := range r.Notes {
		s.line(&b, "note", note.Text)
	}
	b.WriteString(s.Next(r.Next))
	return b.String()
}

// unshared explains a head below the lower bound: tensors of another tool's plan share memory while
// both are in use.
func (r *Rewrite) unshared() string {
	if min(r.compared(), r.After.Head) < r.LowerBoundBytes {
		return " (without sharing on purpose)"
	}
	return ""
}

// compared returns the head in bytes that the new one is compared with.
func (r *Rewrite) compared() int64 { return r.After.Head + r.SavedBytes }

// gain compares the head with the previous one.
func (r *Rewrite) gain(s Style) string {
	was, as := "was "+s.bytes(r.compared()), "as before"
	if r.PlanBroken && r.Action != Kept { // with which the model does not run
		was, as = s.bytes(r.compared())+" without a plan", "as without a plan"
	}
	switch {
	case r.SavedBytes == 0:
		return as
	case r.SavedBytes < 0:
		return fmt.Sprintf("%s: %s more", was, s.bytes(-r.SavedBytes))
	}
	return fmt.Sprintf("%s: %s less", was, s.Paint.Good(s.share(r.SavedBytes, r.compared())))
}

func (r *Rewrite) plan() string {
	fixed := fmt.Sprintf("%d of %s fixed", r.TensorsFixed, count(r.TensorsPlanned, "tensor"))
	switch r.Action {
	case Embedded:
		return fmt.Sprintf("embedded, %s by %s (--pin %s)", fixed, r.Strategy, r.Pin)
	case Kept:
		return "kept, " + fixed + ": " + r.Reason
	case Removed:
		return strings.TrimSuffix("removed: "+r.Reason, ": ")
	}
	return strings.TrimSuffix("none: "+r.Reason, ": ") // copied, reordered, transformed or with its codes filled
}

// order describes the effect of another order of the operators, or why the order stays.
func (r *Rewrite) order(s Style) string {
	if r.OperatorsMoved == 0 && r.Order.LeastPeakBytes < r.Order.PeakBytes {
		return "as it was, although another order has a smaller peak"
	}
	if r.OperatorsMoved == 0 {
		return "as it was: " + r.Order.text(s)
	}
	peak, below := r.Order.LeastPeakBytes, r.Order.none("no order")+" is below "+s.bytes(r.Order.BoundBytes)
	switch {
	case r.Order.WrittenPeakBytes > peak:
		peak, below = r.Order.WrittenPeakBytes, "because its plan needs less than the plan of an order with "+s.bytes(peak)
	case r.Order.Proven:
		below = r.Order.none("no order") + " has a smaller one"
	}
	which, change := "their peak", fmt.Sprintf("was %s and is %s", s.bytes(r.Order.PeakBytes), s.bytes(peak))
	if len(r.Takeovers) > 0 || len(r.Overlaps) > 0 {
		which += " without in-place outputs"
	}
	if peak == r.Order.PeakBytes {
		change = "stays " + s.bytes(peak)
	}
	return fmt.Sprintf("%s moved; %s %s, %s", count(r.OperatorsMoved, "operator"), which, change, below)
}

func (r *Rewrite) file(s Style) string {
	if r.Method == "unchanged" {
		return s.bytes(r.After.FileBytes) + ", not a byte changed"
	}
	return fmt.Sprintf("%s, was %s", s.bytes(r.After.FileBytes), s.bytes(r.Before.FileBytes))
}

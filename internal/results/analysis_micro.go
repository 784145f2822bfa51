package results

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// SetArena sets the figures of the unmodified model in TensorFlow Lite Micro.
func (a *Analysis) SetArena(arena rules.Arena, device rules.Device) {
	a.Figures, a.Scratch, a.ABI, a.KernelLibrary = arena.Stated(), device.ScratchSource(), device.ABI.Name, NewKernelLibrary(device)
	if a.BestBytes > a.Head { // tensors share memory on purpose in a plan of another tool
		a.BestBytes, a.BestStrategy, a.ProvenOptimal, a.Proof = a.Head, embeddedPlanName, false, ""
	}
}

// Decide sets the verdict on the model in TensorFlow Lite Micro, when its figures and faults are known.
func (a *Analysis) Decide() { a.Verdict = a.ruling().verdict() }

func (a *Analysis) ruling() *ruling {
	r := &ruling{figures: a.Figures, faults: a.Faults, board: a.Board}
	if a.PlanBroken {
		r.plan = "the embedded memory plan is broken; verify says more"
	}
	return r
}

// Carries reports that the runtime follows an embedded plan that fixes so many of the tensors; online
// is the head in bytes without that plan.
func (a *Analysis) Carries(fixed, planned int, online int64) {
	a.EmbeddedPlan = &EmbeddedPlan{TensorsFixed: fixed, TensorsPlanned: planned, OnlineBytes: online}
}

// SetTiled sets a tiled model. It is omitted if the embedded plan, the best one, or the best order has an
// equally small arena.
func (a *Analysis) SetTiled(o *Outlook) {
	if a.Known() && o.Size() < a.least() {
		a.Tiled = o
	}
}

// embeddedPlanName is the name of the best plan if no strategy improves on the embedded one.
const embeddedPlanName = "embedded"

// total returns the arena if it is known, and otherwise the planned memory.
func (a *Analysis) total() int64 {
	if a.micro {
		return a.Size()
	}
	return a.Head
}

// least returns the least known [Analysis.total] without tiling.
func (a *Analysis) least() int64 {
	switch {
	case a.WithOrder != nil:
		return min(a.WithOrder.Size(), a.Size())
	case a.WithPlan != nil:
		return min(a.WithPlan.Size(), a.Size())
	case !a.micro:
		return min(a.BestBytes, a.Head)
	}
	return a.Size()
}

// Runs reports whether the runtime is known to run the model correctly, except for kernels that an
// application can provide.
func (a *Analysis) Runs() bool {
	return !slices.ContainsFunc(a.Faults, func(f Fault) bool { return f.Fails })
}

// NextStep returns the next step for the model.
func (a *Analysis) NextStep() Step {
	if !a.micro {
		if a.least() < a.total() {
			return StepPlan
		}
		return StepNone
	}
	k := arenas{runs: a.Runs(), repairable: a.Repairable, disordered: a.Order != nil && a.Order.Problem != "", asIs: a.Size()}
	if a.WithPlan != nil {
		k.withPlan = a.WithPlan.Size()
	}
	if a.WithOrder != nil {
		k.withOrder = a.WithOrder.Size()
	}
	if a.Tiled != nil {
		k.tiled = a.Tiled.Size()
	}
	return k.next()
}

// smallest describes the least arena that is known, and its cost.
func (a *Analysis) smallest(s Style) string {
	size, cost := a.least(), "no extra MACs"
	if a.Tiled != nil {
		size, cost = a.Tiled.Size(), a.Tiled.work(a.Time, a.MACs)
	}
	switch {
	case !a.Known():
		return "not known"
	case a.Tiled == nil && size >= a.Size():
		return "no smaller arena is known; fit searches for longer"
	}
	least := ""
	if a.Tiled != nil {
		least = "at least "
	}
	text := s.Paint.Strong(s.bytes(size)) + ", " + least + s.Paint.Good(s.share(a.Size()-size, a.Size())) + " less, for " + cost
	if a.Tiled != nil && a.Tiled.FileBytes > a.FileBytes {
		text += " and " + s.short(a.Tiled.FileBytes-a.FileBytes) + " more flash"
	}
	return text
}

// withPlan compares the best plan with the current one.
func (a *Analysis) withPlan(s Style) string {
	head := "head " + s.short(a.BestBytes)
	switch {
	case a.WithPlan == nil:
		return head + " by " + a.BestStrategy
	case a.BestStrategy == embeddedPlanName:
		return "the one in the model, in which tensors share memory on purpose"
	case a.WithPlan.Size() >= a.Size() && a.ProvenOptimal:
		return "already optimal"
	case a.WithPlan.Size() >= a.Size():
		return "no smaller head is known"
	case a.ProvenOptimal:
		head += ", proven best"
	}
	return s.less(a.WithPlan.Size(), a.Size()) + ": " + head
}

// withOrder describes the gain of another order of the operators.
func (a *Analysis) withOrder(s Style) string {
	if a.WithOrder != nil {
		return s.less(a.WithOrder.Size(), a.Size()) + ": head " + s.short(a.WithOrder.Head)
	}
	if a.Order.LeastPeakBytes < a.Order.PeakBytes && a.Order.Problem == "" {
		return "another order has a smaller peak, but no smaller arena"
	}
	return a.Order.text(s)
}

// tiled describes the gain of tiling.
func (a *Analysis) tiled(s Style) string {
	if a.Tiled == nil && a.Interrupted {
		return "not searched: the time limit was reached"
	}
	if a.Tiled == nil {
		return "no improvement found by a short search"
	}
	return s.bytes(a.Tiled.Size()) + " in " + count(len(a.Tiled.Stages), "tiled block") + ", found by a short search; fit searches for longer"
}

// less returns a byte count with its reduction from another.
func (s Style) less(now, was int64) string {
	return s.bytes(now) + ", " + s.Paint.Good(s.share(was-now, was)) + " less"
}

// share returns a part of a whole in percent, or in bytes if that would round to nothing or everything.
func (s Style) share(part, whole int64) string {
	percent := units.Percent(part, whole)
	if percent == units.Percent(0, 1) || percent == units.Percent(1, 1) {
		return s.short(part)
	}
	return percent
}

// around names the fixed tensors of the runtime's planner.
func (a *Analysis) around() string {
	if a.EmbeddedPlan == nil {
		return ""
	}
	return fmt.Sprintf(" around the embedded plan, which fixes %d of %s", a.EmbeddedPlan.TensorsFixed, count(a.EmbeddedPlan.TensorsPlanned, "tensor"))
}

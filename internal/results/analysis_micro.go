package results

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// Follow says what TensorFlow Lite Micro makes of the model as it is.
func (a *Analysis) Follow(arena rules.Arena, device rules.Device) {
	a.Figures, a.Scratch, a.ABI, a.KernelLibrary = arena.Stated(), device.ScratchSource(), device.ABI, NewKernelLibrary(device)
	if a.BestBytes > a.Head { // tensors share memory on purpose in a plan of another tool
		a.BestBytes, a.BestStrategy, a.ProvenOptimal, a.Proof = a.Head, embeddedPlan, false, ""
	}
}

// Carries says that the runtime follows a plan which the model carries and which fixes so
// many of the tensors; online is the head in bytes without that plan.
func (a *Analysis) Carries(fixed, planned int, online int64) {
	a.EmbeddedPlan = &EmbeddedPlan{TensorsFixed: fixed, TensorsPlanned: planned, OnlineBytes: online}
}

// InPieces takes an estimate of what cutting the model gains. It is left out where the plan that
// the model carries, or the best one, has as small an arena: a smaller head is no gain then.
func (a *Analysis) InPieces(o *Outlook) {
	if a.Known() && o.Used < min(a.Used, a.WithPlan.Used) {
		a.Pieces = o
	}
}

// embeddedPlan is the name of the best plan where no strategy has a better one than the model
// carries.
const embeddedPlan = "embedded"

// total returns what a runtime needs: the arena where that is known, and else what it plans.
func (a *Analysis) total() int64 {
	if a.micro {
		return a.Size()
	}
	return a.Head
}

// least returns the least [Analysis.total] that is known to be had without cutting the model
// into pieces.
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

// Runs reports whether the runtime is known to run the model correctly, but for kernels that an
// application can bring.
func (a *Analysis) Runs() bool {
	return !slices.ContainsFunc(a.Faults, func(f Fault) bool { return f.Fails })
}

// NextStep returns the next step for the model.
func (a *Analysis) NextStep() Step {
	k := gains{runs: a.Runs(), disordered: a.Order != nil && a.Order.Problem != "", asIs: a.Size()}
	if a.WithPlan != nil {
		k.withPlan = a.WithPlan.Size()
	}
	if a.WithOrder != nil {
		k.withOrder = a.WithOrder.Size()
	}
	if a.Pieces != nil {
		k.inPieces = a.Pieces.Used
	}
	return k.next()
}

// withPlan compares the best plan with what there is.
func (a *Analysis) withPlan(s Style) string {
	head := "head " + s.short(a.BestBytes)
	switch {
	case a.WithPlan == nil:
		return head + " by " + a.BestStrategy
	case a.BestStrategy == embeddedPlan:
		return "the one in the model, in which tensors share memory on purpose"
	case a.WithPlan.Size() >= a.Size() && a.ProvenOptimal:
		return "no plan has a smaller head than the model has as it is"
	case a.WithPlan.Size() >= a.Size():
		return "none is known that has a smaller head"
	case a.ProvenOptimal:
		head += ", proven best"
	}
	return s.less(a.WithPlan.Size(), a.Size()) + ": " + head
}

// withOrder says what another order of the operators gains.
func (a *Analysis) withOrder(s Style) string {
	if a.WithOrder != nil {
		return s.less(a.WithOrder.Size(), a.Size()) + ": head " + s.short(a.WithOrder.Head)
	}
	if a.Order.LeastPeakBytes < a.Order.PeakBytes && a.Order.Problem == "" {
		return "another order has a smaller peak, but no smaller arena"
	}
	return a.Order.text(s)
}

// pieces says what cutting the model may gain.
func (a *Analysis) pieces(s Style) string {
	if a.Pieces == nil {
		return "no quick estimate; fit may find something with a longer search"
	}
	return "about " + s.less(a.Pieces.Used, a.Used) + ", for " + a.Pieces.work() + " (an estimate)"
}

// less writes a byte count, and how much less it is than another.
func (s Style) less(now, was int64) string {
	return s.bytes(now) + ", " + s.Paint.Good(s.share(was-now, was)) + " less"
}

// share writes a part of a whole in percent, or in bytes where that would be rounded to
// nothing or to everything.
func (s Style) share(part, whole int64) string {
	percent := units.Percent(part, whole)
	if percent == units.Percent(0, 1) || percent == units.Percent(1, 1) {
		return s.short(part)
	}
	return percent
}

// around says what the runtime's planner plans around.
func (a *Analysis) around() string {
	if a.EmbeddedPlan == nil {
		return ""
	}
	return fmt.Sprintf(" around the embedded plan, which fixes %d of %s", a.EmbeddedPlan.TensorsFixed, count(a.EmbeddedPlan.TensorsPlanned, "tensor"))
}

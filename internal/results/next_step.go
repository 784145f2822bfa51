package results

// A Step is the next step for a model: the one that reduces its arena most, and among equals the one that
// changes least.
type Step int

// The steps.
const (
	StepNone    Step = iota // nothing is known to reduce the arena
	StepSort                // the operators are not in a valid order: rewrite --toposort
	StepRepair              // rules avoid what keeps the runtime from running the model correctly: rewrite --repair
	StepBlocked             // the runtime does not run the model correctly
	StepRewrite             // write a plan into the file
	StepReorder             // write a plan and change the order of the operators
	StepFit                 // tile operators
	StepPlan                // another planner than the runtime's has a smaller plan
)

// arenas are the arenas of a model in bytes, 0 where unknown.
type arenas struct {
	// runs reports whether the runtime runs the model correctly, repairable whether rules make it so, and
	// disordered whether its operators are not in a valid order.
	runs, repairable, disordered bool
	// asIs is the current arena; the others are those with the best plan, with another order as well,
	// and tiled.
	asIs, withPlan, withOrder, tiled int64
}

// next returns the next step.
func (g arenas) next() Step {
	switch {
	case !g.runs && g.repairable:
		return StepRepair
	case !g.runs:
		return StepBlocked
	case g.disordered:
		return StepSort
	}
	step, least := StepNone, g.asIs
	for _, x := range []struct {
		step  Step
		arena int64
	}{{StepRewrite, g.withPlan}, {StepReorder, g.withOrder}, {StepFit, g.tiled}} {
		if x.arena > 0 && x.arena < least {
			step, least = x.step, x.arena
		}
	}
	return step
}

package results

// A Step is the next step for a model: the first one that reduces its arena.
type Step int

// The steps.
const (
	StepNone    Step = iota // nothing is known to reduce the arena
	StepSort                // the operators are not in a valid order: rewrite --toposort
	StepBlocked             // the runtime does not run the model correctly
	StepRewrite             // write a plan into the file
	StepReorder             // write a plan and change the order of the operators
	StepFit                 // tile operators
)

// arenas are the arenas of a model in bytes, 0 where unknown.
type arenas struct {
	// runs reports whether the runtime runs the model correctly, and disordered whether its operators
	// are not in a valid order.
	runs, disordered bool
	// asIs is the current arena; the others are those with the best plan, with another order as well,
	// and tiled.
	asIs, withPlan, withOrder, inPieces int64
}

// next returns the next step.
func (g arenas) next() Step {
	smaller := func(arena int64) bool { return arena > 0 && arena < g.asIs }
	switch {
	case !g.runs:
		return StepBlocked
	case g.disordered:
		return StepSort
	case smaller(g.withOrder):
		return StepReorder
	case smaller(g.withPlan):
		return StepRewrite
	case smaller(g.inPieces):
		return StepFit
	}
	return StepNone
}

package shrink

// work is the work of one round of a search at a level of in-place outputs. It is counted, never
// timed, so that results do not depend on the machine.
type work struct {
	// listed is the approximate maximum number of operators in the fragments of all tiled runs that
	// are listed. finer lists the runs of the best paths once more, tiled as finely as possible.
	listed int
	finer  bool
	// plans is the number of models that are planned.
	plans int
	// effort scales the searches for the plan of a model, from nearly 0 to 1.
	effort float64
	// states is the number of states in the search for an order of a tiled model.
	states int
}

// rounds are the rounds of a search, each with more work than the one before. The first one is for
// an outlook.
var rounds = []work{
	{listed: 40_000, plans: 4, effort: 1. / 64, states: 600},
	{listed: 150_000, plans: 24, effort: 1. / 16, states: 2500},
	{listed: 2_000_000, finer: true, plans: 48, effort: 1. / 4, states: 10_000},
	{listed: 6_000_000, finer: true, plans: 96, effort: 1, states: 40_000},
}

const (
	// outlook is the round of an outlook, quick the first one of other searches.
	outlook, quick = 0, 1
	// Rounds is the number of rounds of a search.
	Rounds = 3
)

// polished returns the work of the plans of the best candidates at the end of a round.
func (w *work) polished() float64 { return min(4*w.effort, 1) }

package shrink

// tuning holds the constants of a search. Each has a row in benchmarks/ablation.md, which says what is
// lost when it is halved or doubled.
type tuning struct {
	// rounds are the rounds of a search, each with more work than the one before. An outlook has the
	// first one only.
	rounds []work
	// outlook is the number of operators that an outlook lists instead of the first round's: it has no neighbours that would make
	// up for a coarse list.
	outlook int
	// planned is the number of proposals planned at the same time, built the same for building. They do
	// not depend on the number of processors, so that results do not either.
	planned, built int
	// polished is the number of candidates that are polished at the end of a round, or fewer if they
	// have more than sorted operators together. As many are tried in other orders at a time.
	polished, sorted int
	// refined is the number of paths with the lowest peaks, and of those with the smallest arenas, whose
	// runs are listed once more, tiled as finely as possible.
	refined int
	// longest is the number of operators in a run that is added to a tiled model.
	longest int
	// slack is the part of an estimated peak that a built model may come to: in another order, and because
	// neighbouring parts may share more memory than each of them by itself.
	slack float64
	// worth is the part of the smallest head from which a run of operators is worth tiling.
	worth float64
}

// work is the work of one round of a search at a level of in-place outputs. It is counted, never
// timed, so that results do not depend on the machine.
type work struct {
	// listed is the approximate maximum number of operators in the fragments of all tiled runs that
	// are listed. finer lists the runs of the best paths once more.
	listed int
	finer  bool
	// plans is the number of models that are planned.
	plans int
	// effort scales the searches for the plan of a model, from nearly 0 to 1.
	effort float64
	// states is the number of states in the search for an order of a tiled model.
	states int
	// expanded is the number of best candidates whose neighbours are proposed.
	expanded int
}

// standard returns the tuning of all searches outside of tests.
var standard = func() *tuning {
	return &tuning{
		rounds: []work{
			{listed: 40_000, plans: 4, effort: 1. / 64, states: 600, expanded: 4},
			{listed: 150_000, plans: 32, effort: 1. / 16, states: 2500, expanded: 4},
			{listed: 2_000_000, finer: true, plans: 48, effort: 1. / 4, states: 10_000, expanded: 4},
			{listed: 6_000_000, finer: true, plans: 96, effort: 1, states: 40_000, expanded: 4},
			{listed: 6_000_000, finer: true, plans: 192, effort: 1, states: 80_000, expanded: 16},
		},
		outlook: 100_000, planned: 2, built: 8, polished: 4, sorted: 400, refined: 3, longest: 5, slack: 0.88, worth: 0.5,
	}
}

// roundsOf returns the number of rounds of a search for a goal.
func (t *tuning) roundsOf(g *Goal) int {
	if g.Rounds <= 0 {
		return len(t.rounds)
	}
	return min(g.Rounds, len(t.rounds))
}

// most returns the work of the last round.
func (t *tuning) most() *work { return &t.rounds[len(t.rounds)-1] }

// polishing returns the effort for the plans of the best candidates at the end of a round.
func (w *work) polishing() float64 { return min(4*w.effort, 1) }

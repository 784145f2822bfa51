// Package shrink finds models that compute the same as another and need less memory: in another
// order of the operators, tiled, with in-place outputs, and without operators that compute
// nothing.
//
// A [Candidate] is such a model: built, planned as a whole and measured. [Goal.Compare] is the only
// comparison of costs. A [Search] holds the proposals and the candidates of all goals for one model.
//
// Reading order: [Fit] in fit.go goes through the levels of in-place outputs and the rounds of a
// search; start.go and graph.go make the models that it begins with. A round, in explore.go, takes the
// most hopeful proposals to the next step: proposal.go estimates, builds and plans them. Proposals come
// from list.go, which lists tilings, and neighbours.go, which changes the best candidates. goal.go
// compares costs.
//
// [Auto] ends at the first level that is enough. [Frontier] returns the trade-off between arena and
// work. [Explain] says what would meet a budget, and bottleneck.go what limits a model.
// [Report.Outcome] decides what becomes of a file. [Outlook] is an estimate that builds nothing.
package shrink

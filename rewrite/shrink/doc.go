// Package shrink finds models that compute the same as another and need less memory: in another
// order of the operators, tiled, with in-place outputs, and without operators that compute
// nothing.
//
// A [Candidate] is such a model: built, planned as a whole and measured. [Goal.Compare] is the only
// comparison of costs. A [Search] holds the proposals and the candidates of all goals for one model.
//
// Reading order: [Fit] in fit.go goes through the levels of in-place outputs and the rounds of a
// search; start.go measures the model that it begins with. proposers.go is the table of what proposes
// models, tuning.go has the constants. A round, in explore.go, takes the most hopeful proposals to the
// next step: proposal.go estimates, builds and plans them. goal.go compares costs.
//
// [Frontier] returns the trade-off between arena and
// work. [Explain] says what would meet a budget, and bottleneck.go what limits a model.
// [Report.Outcome] decides what becomes of a file. [Outlook] is the result of a small search.
package shrink

// Package fit makes a model need less memory than its largest operator: it decides which
// runs of operators to cut into pieces (package split), and how finely, so that the
// whole stays below a budget at the least extra work.
//
// The model is a row of operators. A path through it takes one operator after the other
// as it is, or a run of them as a stage in pieces; each part has a peak, extra
// multiply-accumulates and extra persistent memory. Below a limit for the peak the
// cheapest path is a shortest path (as in msf-CNN, 2025), over boundaries between
// operators and places in the arena of the tensor that is alive there, since a part counts
// only where it has a plan (package chain). What the paths promise is measured on the files
// that they lead to.
//
// One call of [Fit] goes through the files in this order:
//
//   - fit.go: Fit makes a fitter, which has the model, the goal, and the report with the
//     ladder of what was gained so far. search_start.go measures the model as it is.
//   - search.go: search takes the steps of search_steps.go that cut nothing, and then looks for
//     pieces in rounds, which go further each time where there is a deadline. What is a gain,
//     and which end of a ladder is better, is told in gain.go.
//   - cut.go: the step that cuts asks package parts for all parts and for the paths that no
//     other beats, and has a choice made among them (cut_choice.go): the promising ones are
//     listed in cut_promising.go, the cheapest one within a budget is found by cut_budget.go,
//     and that of the least head by cut_least.go, which goes down with cut_descent.go. Both
//     ask package route for paths whose parts have plans that fit to each other.
//   - build.go: what is chosen is built into a file, and build_measure.go plans the file and
//     follows the plan. Only a file that was measured comes onto the ladder.
//   - search_suggest.go: where nothing was gained, small searches tell what outputs that take
//     over inputs would gain. search_again.go looks for the least head of what was found until
//     nothing more is found. search_least.go looks for the least head where a budget of the head
//     is not met.
//   - describe.go: the report says what binds. goal.go and report.go are what goes in and out.
//   - outcome.go: from the report, [Report.Outcome] decides what becomes of the model.
//
// [Frontier] calls the same search for many budgets, to show what can be had before somebody
// decides on one: frontier.go goes through the levels of takeovers, frontier_level.go chooses
// the budgets of one level, and frontier_settle.go follows each of them to a point.
//
// [Auto], in auto.go, calls one of the two for each level of takeovers and takes what serves best.
//
// Where a budget is not met, [Explain] says why: shortfall.go tries what would meet it, and
// bottleneck.go says which operator binds, and why that is not cut further.
//
// [Outlook] is a small search by itself, which builds nothing.
package fit

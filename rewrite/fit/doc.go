// Package fit makes a model need less memory than its largest operator: it decides which runs
// of operators to tile (package split), and how finely, so that the whole stays within a budget
// at the lowest cost in extra MACs.
//
// The model is a sequence of operators. A path takes each operator unmodified, or a run of them
// as a tiled stage; each part has a peak, extra multiply-accumulates and extra persistent
// memory. The cheapest path within a limit of the peak is a shortest path (as in msf-CNN, 2025)
// over boundaries between operators and arena offsets of the tensor live there, since a part
// counts only if it has a plan (package inplace). The estimates of paths are confirmed by
// measuring the files built from them.
//
// One call of [Fit] goes through the files in this order:
//
//   - fit.go: Fit makes a fitter, which has the model, the goal, and the report with the
//     ladder of gains so far. search_start.go measures the unmodified model.
//   - search.go: search takes the steps of search_steps.go without tiling, then searches for
//     tilings in rounds, each with more effort if there is a deadline. gain.go defines gains and
//     compares the ends of ladders.
//   - cut.go: the tiling step gets all parts and undominated paths from package parts and makes a
//     choice among them (cut_choice.go): cut_promising.go lists the promising ones,
//     cut_budget.go finds the cheapest one within a budget, and cut_least.go the one with the
//     smallest head, with cut_descent.go lowering the limit. Both use package route for paths
//     whose parts have compatible plans.
//   - build.go: builds the chosen path into a file; build_measure.go plans the file and
//     follows the plan. Only measured files enter the ladder.
//   - search_suggest.go: if nothing was gained, small searches estimate the gain of in-place
//     outputs. search_again.go repeats the search for the smallest head on its result until
//     nothing more is found. search_least.go searches for the smallest head if a head budget
//     is not met.
//   - describe.go: reports the limiting operator. goal.go and report.go hold input and output.
//   - outcome.go: [Report.Outcome] decides the consequence of a report for the model.
//
// [Frontier] runs the same search for many budgets, to show the trade-off before choosing one:
// frontier.go goes through the --alias levels, frontier_level.go chooses the budgets of one
// level, and frontier_settle.go follows each of them to a point.
//
// [Auto], in auto.go, calls one of the two for each --alias level and takes the best result.
//
// If a budget is not met, [Explain] explains why: shortfall.go tries what would meet it, and
// bottleneck.go names the limiting operator and why it is not tiled further.
//
// [Outlook] is a separate small search that builds nothing.
package fit

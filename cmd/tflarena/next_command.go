package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/budget"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/shell"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// next returns the command line that gains most for a model after "analyze", or keeps the current
// state.
func (r *runtimeChoice) next(ctx context.Context, file string, s *app.Subject, a *results.Analysis) string {
	if a.ABI == "" {
		return shell.Command("plan", file, r.given...)
	}
	if library := r.otherLibrary(s.Carried.Marker); library != "" {
		return shell.Command("analyze", file, r.withLibrary(s.Device, library)...)
	}
	same := concat(r.scratchFlag, r.same(file))
	if app.Repairable(ctx, s.View.Model, s.Device) {
		return repairing(file, same)
	}
	switch a.NextStep() {
	case results.StepBlocked:
		return shell.Command("analyze", file, "--runtime", rules.LiteRT().Name)
	case results.StepSort:
		return shell.Smaller("rewrite", file, append(same, "--toposort")...)
	case results.StepRewrite:
		return shell.Smaller("rewrite", file, same...)
	case results.StepReorder:
		return shell.Smaller("rewrite", file, append(same, "--reorder")...)
	case results.StepFit:
		return shell.Smaller("fit", file, append(same, "--arena", fmt.Sprint(a.Tiled.Required))...)
	}
	if !a.Known() {
		return ""
	}
	return shell.Command("check", file, append(same, "--max-arena", fmt.Sprint(a.Required))...)
}

// repairing returns the command line that repairs a model for its target.
func repairing(file string, target []string) string {
	return shell.Repaired("rewrite", file, append(target, "--repair")...)
}

// nextToFit returns the command line that may make a model fit into the arena and head budgets it
// exceeds, or analyzes it in the other runtime if this one cannot run it; "" if it exceeds other
// budgets.
func (f *checkFlags) nextToFit(ctx context.Context, file string, s *app.Subject, r *results.Check, limits budget.Limits) string {
	if len(r.Failures) > 0 && app.Repairable(ctx, s.View.Model, s.Device) {
		return repairing(file, concat(f.scratchFlag, f.same(file)))
	}
	if len(r.Failures) > 0 {
		return shell.Command("analyze", file, "--runtime", rules.LiteRT().Name)
	}
	if library := f.otherLibrary(s.Carried.Marker); library != "" {
		return shell.Command("check", file, append(f.withLibrary(s.Device, library), f.given...)...)
	}
	var goal []string
	for _, b := range r.Budgets {
		switch {
		case b.Unknown:
			return ""
		case b.Pass:
		case b.Name == results.BudgetArena:
			goal = append(goal, "--arena", fmt.Sprint(*limits.Arena))
		case b.Name == results.BudgetHead:
			goal = append(goal, "--head", fmt.Sprint(*limits.Head))
		default:
			return ""
		}
	}
	if r.Verdict == results.DoesNotFit && len(goal) == 0 {
		goal = append(goal, "--arena", fmt.Sprint(r.SRAM))
	}
	if len(goal) == 0 || len(f.scratchFlag) > 0 {
		return ""
	}
	return shell.Smaller("fit", file, concat(f.same(file), goal)...)
}

// nextToHold returns the command line that fails as soon as a file requires a larger arena than now, or
// analyzes it in the other runtime if faults keep this one from running it; "" without such a file.
func (t *target) nextToHold(output string, smallest int64, faults []rules.Fault) string {
	if output == "" {
		return ""
	}
	if len(rules.Stop(faults)) > 0 {
		return shell.Command("analyze", output, "--runtime", rules.LiteRT().Name)
	}
	if smallest <= 0 {
		return "" // the arena is unknown
	}
	same := slices.Clone(t.same(output))
	if len(rules.Failing(faults)) > 0 {
		same = append(same, "--allow-faults")
	}
	if t.scratch != reference {
		same = append(slices.Clone(t.scratchFlag), same...)
	}
	return shell.Command("check", output, append(same, "--max-arena", fmt.Sprint(smallest))...)
}

// asked returns those flags that the command line sets, with their values.
func asked(c *cli.Context, flags ...string) (words []string) {
	for _, flag := range flags {
		switch value := c.Value(flag).(type) {
		case bool:
			if value {
				words = append(words, dashed(flag))
			}
		default:
			if c.IsSet(flag) {
				words = append(words, dashed(flag), fmt.Sprint(value))
			}
		}
	}
	return words
}

// concat returns the words of all lists.
func concat(lists ...[]string) (words []string) {
	for _, list := range lists {
		words = append(words, list...)
	}
	return words
}

// withLibrary returns the same flags for the kernels of another library, as far as they are compatible.
func (t *target) withLibrary(d rules.Device, library string) (words []string) {
	if t.scratch != reference {
		words = slices.Clone(t.scratchFlag)
	}
	if d, err := t.withKernels(d, library); err == nil && t.abi == d.ABI.Name {
		words = append(words, "--abi", t.abi)
	}
	return append(append(words, t.room...), "--kernels", library)
}

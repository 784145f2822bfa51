package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/budget"
	"github.com/tflarena/tflarena/internal/csource"
	"github.com/tflarena/tflarena/internal/firmware"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/shell"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// next returns the command line that gains most for a model after "analyze", or keeps the current
// state.
func (r *runtimeChoice) next(file string, s *app.Subject, a *results.Analysis) string {
	switch {
	case r.rules.IsLiteRT() && app.Streamable(s.View.Model):
		return shell.Command("stream", file, usualSpeeds...)
	case a.NextStep() == results.StepPlan:
		return shell.Command("plan", file, r.given...)
	case !r.rules.IsMicro():
		return ""
	}
	same := concat(r.scratchFlag, r.same(file))
	step := a.NextStep()
	if library := r.otherLibrary(s.Carried.Marker); library != "" && step != results.StepRepair {
		return shell.Command("analyze", file, r.withLibrary(s.Device, library)...)
	}
	switch step {
	case results.StepRepair:
		return shell.Repaired(file, same...)
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

// usualSpeeds are the flags of a first sweep of "stream", with the speeds of a mobile core and its flash.
var usualSpeeds = []string{"--macs-per-second", "30e9", "--bandwidth", "200MiB", "--sweep"}

// nextToFit returns the command line that may make a model fit into the arena and head budgets it
// exceeds, writes the firmware of a model that fits, or analyzes it in the other runtime if this one
// cannot run it; "" if it exceeds other budgets.
func (f *checkFlags) nextToFit(ctx context.Context, file string, s *app.Subject, r *results.Check, limits budget.Limits) string {
	if len(r.Failures) > 0 && app.Repairable(ctx, s.View.Model, s.Device) {
		return shell.Repaired(file, concat(f.scratchFlag, f.same(file))...)
	}
	if len(r.Failures) > 0 {
		return shell.Command("analyze", file, "--runtime", rules.LiteRT().Name)
	}
	if library := f.otherLibrary(s.Carried.Marker); library != "" {
		return f.checkWith(file, s, library)
	}
	if r.Verdict == results.Fits && !csource.IsSource(filepath.Ext(file)) && f.device.DecompressionMemory == 0 {
		folder := shell.Stem(file)
		if folder == "" || folder == filepath.Base(file) { // the file itself
			folder = firmware.Folder
		}
		return shell.Command("analyze", file, concat(f.scratchFlag, f.same(file), []string{"-o", firmware.Folder + "=" + folder})...)
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

// checkWith returns the command line that checks a model with the kernels of a library.
func (f *checkFlags) checkWith(file string, s *app.Subject, library string) string {
	return shell.Command("check", file, append(f.withLibrary(s.Device, library), f.given...)...)
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
		case cli.StringSlice:
			for _, text := range value.Value() {
				words = append(words, dashed(flag), text)
			}
		default:
			if c.IsSet(flag) {
				words = append(words, dashed(flag), fmt.Sprint(value))
			}
		}
	}
	return words
}

// again returns the flags of a command line that decide its answer, except for some.
func again(c *cli.Context, except ...string) (words []string) {
	for _, f := range c.Command.Flags {
		if of, ok := f.(cli.CategorizableFlag); ok && of.GetCategory() != groupOutput && !slices.Contains(except, f.Names()[0]) {
			words = append(words, asked(c, f.Names()[0])...)
		}
	}
	return words
}

// nextToProve returns the command line that searches for the best plan of an input, or its proof.
func nextToProve(file string, approach alloc.Approach, flags []string) string {
	words := slices.Clone(flags)
	if approach != alloc.Offsets {
		words = append(words, "--approach", string(approach))
	}
	return shell.Command("plan", file, append(words, "--strategy", alloc.Exact)...)
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

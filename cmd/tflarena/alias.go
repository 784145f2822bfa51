package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/alloc/schedule"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

const aliasDescription = `With --alias an output may take over the memory of an input that dies with its
operator. TensorFlow Lite Micro does as the plan says; whether that is right depends
on its kernels:
  safe         where kernels only copy: RESHAPE, SQUEEZE, EXPAND_DIMS,
               DYNAMIC_UPDATE_SLICE, the branches of IF, and the parts that
               CONCATENATION, SLICE and STRIDED_SLICE copy in one piece
  elementwise  also element-wise operators that broadcast nothing, and PAD; right
               with the reference kernels, of which optimised libraries promise nothing
  overwrite    also what is read slice by slice (SLICE, STRIDED_SLICE), from the first
               slice on, where no later one reads it: an input of the model is lost then`

func aliasFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "alias", Value: string(rules.NoAlias), Category: groupPlan,
		Usage: "let outputs take over inputs' memory: `WHICH` is " + strings.Join(aliasNames(), ", "),
	}
}

func aliasNames() []string {
	var names []string
	for _, a := range rules.Aliases() {
		names = append(names, string(a))
	}
	return names
}

// aliasOf reads --alias.
func aliasOf(c *cli.Context) (rules.Alias, error) {
	for _, a := range rules.Aliases() {
		if c.String("alias") == string(a) {
			return a, nil
		}
	}
	return "", usagef("--alias %q: use one of %s", c.String("alias"), strings.Join(aliasNames(), ", "))
}

// aliasing is a job whose tensors may share memory on purpose.
type aliasing struct {
	alias     rules.Alias
	takeovers []lifetime.Takeover
	merged    *schedule.Merged
	all       []lifetime.Record
}

// merge makes the job one of merged records, where --alias asks for that.
func (j *job) merge(c *cli.Context) error {
	alias, err := aliasOf(c)
	switch {
	case err != nil || alias == rules.NoAlias:
		return err
	case j.runtime != "tflm":
		return usagef("--alias %s: only TensorFlow Lite Micro lets a plan put tensors in one place: use it with a model and --runtime tflm", alias)
	case c.String("approach") == string(alloc.Shared):
		return usagef("--alias %s is for offsets: leave --approach %s out", alias, alloc.Shared)
	}
	a := &aliasing{alias: alias, takeovers: j.view.Takeovers(alias), all: slices.Clone(j.records)}
	copy(a.all, j.view.Remaining(alias))
	ctx, cancel, err := limited(c)
	if err != nil {
		return err
	}
	defer cancel()
	if err := a.choose(ctx); err != nil {
		return err
	}
	j.aliasing, j.records = a, a.merged.Records
	return nil
}

// wayNodes is how far plans are searched for to see which takeovers help.
const wayNodes = 20_000

// choose merges the records by those takeovers that lead to the smallest arena, as far as
// a quick look tells until ctx ends.
func (a *aliasing) choose(ctx context.Context) error {
	least := int64(math.MaxInt64)
	for _, merged := range schedule.Narrowest(a.all, schedule.Ways(a.all, a.takeovers), nil) {
		if a.merged == nil {
			a.merged = merged
		}
		if lifetime.MaxBreadth(merged.Records) >= least || ctx.Err() != nil {
			break
		}
		plan, err := alloc.Solve(ctx, merged.Records, alloc.Options{Approach: alloc.Offsets, Strategy: "exact", SearchNodes: wayNodes})
		if err != nil && ctx.Err() != nil {
			break
		}
		if err != nil {
			return err
		}
		if plan.Total < least {
			least, a.merged = plan.Total, merged
		}
	}
	return nil
}

// spread makes a plan of merged records one of all, and has it checked again.
func (j *job) spread(plan *alloc.Plan, verdict *alloc.Verdict, capacity int64) error {
	a := j.aliasing
	if a == nil {
		return nil
	}
	plan.Offsets = a.merged.Offsets(plan.Offsets)
	if err := check.Aliased(a.all, plan.Offsets, plan.Total, a.takeovers); err != nil {
		return fmt.Errorf("fault in tflarena, please report it: %w", err)
	}
	a.doubt(plan, verdict, capacity)
	if verdict != nil {
		var core []int
		for _, i := range verdict.Core {
			core = append(core, a.merged.Groups[i]...)
		}
		verdict.Core = core
	}
	return nil
}

// doubt takes back what holds for merged records alone, where a plan with the same
// takeovers could use bytes of theirs that are free at times.
func (a *aliasing) doubt(plan *alloc.Plan, verdict *alloc.Verdict, capacity int64) {
	if !a.merged.Loose() {
		return
	}
	const reason = "the bytes in use at one operator"
	bound := lifetime.MaxBreadth(a.merged.Held(a.all))
	plan.LowerBound, plan.Optimal, plan.Proof = min(plan.LowerBound, bound), false, ""
	if plan.Total == plan.LowerBound {
		plan.Optimal, plan.Proof = true, "the total equals the lower bound: "+reason
	}
	if verdict == nil || verdict.Answer != alloc.Misfit {
		return
	}
	verdict.Answer, verdict.Proof, verdict.Core = alloc.Unknown, "", nil
	if bound > capacity {
		verdict.Answer, verdict.Proof = alloc.Misfit, reason
	}
}

// tensors returns the records of the plan that is shown.
func (j *job) tensors() []lifetime.Record {
	if j.aliasing != nil {
		return j.aliasing.all
	}
	return j.records
}

// addTakeovers tells a result what shares memory on purpose.
func (j *job) addTakeovers(r *results.Plan) {
	if j.aliasing != nil {
		r.Alias = string(j.aliasing.alias)
		r.Takeovers = results.NewTakeovers(j.aliasing.all, j.aliasing.merged.Taken)
		r.Notes = append(r.Notes, aliasNote(j.aliasing.alias, len(r.Takeovers)))
	}
}

// aliasNote says under which kernels a plan is right.
func aliasNote(a rules.Alias, n int) string {
	kernels := "TensorFlow Lite Micro's own kernels, which only copy there"
	if a != rules.SafeAlias {
		kernels = "the reference kernels; an optimised kernel library may compute something else"
	}
	if a == rules.OverwriteAlias {
		kernels += "; what the model's inputs held is lost by the way"
	}
	return fmt.Sprintf("outputs that take over an input's memory: %d (--alias %s), and the lower bound is that of a plan in which they do; right with %s", n, a, kernels)
}

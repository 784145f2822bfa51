package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/schedule"
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

// aliasing is what a job's strategies are given where tensors may share memory on purpose.
type aliasing struct {
	alias rules.Alias
	// merged has those that do as one record.
	merged *schedule.Merged
}

// planned returns what strategies are given: the job's records, or what is made of them
// where some share memory on purpose. [job.layout] makes a plan of it one of the records.
func (j *job) planned() []lifetime.Record {
	if j.aliasing != nil {
		return j.aliasing.merged.Records
	}
	return j.records
}

// merge lets the job's records share memory, where --alias asks for that.
func (j *job) merge(ctx context.Context, c *cli.Context) error {
	alias, err := aliasOf(c)
	switch {
	case err != nil || alias == rules.NoAlias:
		return err
	case j.runtime != "tflm":
		return usagef("--alias %s: only TensorFlow Lite Micro lets a plan put tensors in one place: use it with a model and --runtime tflm", alias)
	case c.String("approach") == string(alloc.Shared):
		return usagef("--alias %s is for offsets: leave --approach %s out", alias, alloc.Shared)
	}
	j.records = append(slices.Clone(j.view.Remaining(alias)), j.records[len(j.view.Records()):]...)
	merged, err := chooseMerged(ctx, j.records, j.view.Takeovers(alias))
	if err != nil {
		return named(j.title, solveError(c, j.records, err))
	}
	label(merged, j.records)
	j.aliasing = &aliasing{alias, merged}
	return nil
}

// label makes the ID of a merged record one of all that it stands for, with the bytes that
// each begins behind it: for messages, and for who reads an integer program.
func label(m *schedule.Merged, records []lifetime.Record) {
	for k, group := range m.Groups {
		if len(group) == 1 {
			continue
		}
		var ids []string
		for _, i := range group {
			id := records[i].ID
			if at := m.Within(i); at > 0 {
				id += fmt.Sprintf("+%d", at)
			}
			ids = append(ids, id)
		}
		m.Records[k].ID = strings.Join(ids, " ")
	}
}

// wayNodes is how far plans are searched for to see which takeovers help.
const wayNodes = 20_000

// chooseMerged merges records by those takeovers that lead to the smallest arena, as far as
// a quick look tells until ctx ends.
func chooseMerged(ctx context.Context, records []lifetime.Record, takeovers []lifetime.Takeover) (best *schedule.Merged, err error) {
	least := int64(math.MaxInt64)
	for _, merged := range schedule.Narrowest(records, schedule.Ways(records, takeovers), nil) {
		if best == nil {
			best = merged
		}
		if lifetime.MaxBreadth(merged.Records) >= least || ctx.Err() != nil {
			break
		}
		plan, err := alloc.Solve(ctx, merged.Records, alloc.Options{Approach: alloc.Offsets, Strategy: "exact", SearchNodes: wayNodes})
		if err != nil && ctx.Err() != nil {
			break
		}
		if err != nil {
			return nil, err
		}
		if plan.Total < least {
			least, best = plan.Total, merged
		}
	}
	return best, nil
}

// doubt takes back what holds for merged records alone, where a plan with the same
// takeovers could use bytes of theirs that are free at times.
func (a *aliasing) doubt(records []lifetime.Record, plan *alloc.Plan, verdict *alloc.Verdict, capacity int64) {
	if !a.merged.Loose() {
		return
	}
	const reason = "the bytes in use at one operator"
	bound := lifetime.MaxBreadth(a.merged.Held(records))
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

// aliasNote says how many takeovers a plan has, what its lower bound is then, and under
// which kernels it is right.
func aliasNote(a rules.Alias, n int) string {
	return fmt.Sprintf("outputs that take over an input's memory: %d (--alias %s), and the lower bound is that of a plan in which they do; right with %s", n, a, kernels(a))
}

// takenNote is [aliasNote] where there is no bound.
func takenNote(a rules.Alias, n int) string {
	return fmt.Sprintf("outputs that take over an input's memory: %d (--alias %s); right with %s", n, a, kernels(a))
}

// kernels says with which ones takeovers are right.
func kernels(a rules.Alias) string {
	kernels := "TensorFlow Lite Micro's own kernels, which only copy there"
	if a != rules.SafeAlias {
		kernels = "the reference kernels; an optimised kernel library may compute something else"
	}
	if a == rules.OverwriteAlias {
		kernels += "; what the model's inputs held is lost by the way"
	}
	return kernels
}

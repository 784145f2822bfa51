package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/merge"
	"github.com/tflarena/tflarena/internal/output"
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
	asked rules.Alias
	// bound is what no plan goes below, whichever takeovers happen in it; free says that
	// there is anything to choose.
	bound int64
	free  bool
	// way is the one that was chosen, looked its plan so far: nil where there was no time.
	way
	looked *alloc.Plan
}

// planned returns what strategies are given: the job's records, or what is made of them
// where some share memory on purpose. [job.layout] makes a plan of it one of the records.
func (j *job) planned() []lifetime.Record {
	if j.aliasing != nil {
		return j.aliasing.Records
	}
	return j.records
}

// merge lets the job's records share memory, where --alias asks for that.
func (j *job) merge(ctx context.Context, c *cli.Context, specs []output.Spec) error {
	alias, err := aliasOf(c)
	switch {
	case err != nil || alias == rules.NoAlias:
		return err
	case !j.micro():
		return usagef("--alias %s: only TensorFlow Lite Micro lets a plan put tensors in one place: use it with a model and --runtime tflm", alias)
	case c.String("approach") == string(alloc.Shared):
		return usagef("--alias %s is for offsets: leave --approach %s out", alias, alloc.Shared)
	}
	records, takeovers := j.remaining(alias), j.view.Takeovers(alias)
	j.aliasing = &aliasing{asked: alias, bound: merge.Bound(records, takeovers), free: len(takeovers) > 0 || lifetime.HasGaps(records)}
	j.aliasing.way, j.aliasing.looked, err = narrowest(ctx, j.ways(ctx, alias), lookOptions(c, specs))
	if err != nil {
		return named(j.title, solveError(c, j.records, err))
	}
	j.records = j.aliasing.records
	label(j.aliasing.Merged, j.records)
	return nil
}

// A way is one of those in which tensors may share memory: records, some of them merged,
// as an --alias permits it, and the breadth below which no plan of them is, in bytes.
type way struct {
	*merge.Merged
	records []lifetime.Record
	alias   rules.Alias
	breadth int64
}

// remaining returns the job's records as they are in each other's way under --alias.
func (j *job) remaining(alias rules.Alias) []lifetime.Record {
	return append(slices.Clone(j.view.Remaining(alias)), j.records[len(j.view.Records()):]...)
}

// ways returns those to try, by breadth; when ctx ends, those until then, one at least. All
// that a lesser --alias permits is among them, and that nothing is shared: what may be
// shared need not make a plan smaller.
func (j *job) ways(ctx context.Context, alias rules.Alias) (list []way) {
	all := rules.Aliases()
	var last []lifetime.Takeover
	for k, lesser := range all[:slices.Index(all, alias)+1] {
		records, takeovers := j.remaining(lesser), j.view.Takeovers(lesser)
		if k > 0 && !lifetime.HasGaps(records) && slices.Equal(takeovers, last) {
			continue // the same as before
		}
		last = takeovers
		var more []way
		for _, some := range merge.Ways(records, takeovers) {
			if len(list) > 0 && ctx.Err() != nil {
				break
			}
			merged := merge.Merge(records, some, nil)
			more = append(more, way{merged, records, lesser, lifetime.MaxBreadth(merged.Records)})
		}
		list = append(more, list...) // of ways that come to the same, the one that shares more
	}
	slices.SortStableFunc(list, func(a, b way) int { return cmp.Compare(a.breadth, b.breadth) })
	return list
}

// lookOptions returns how a way is looked at: by the strategy that is asked for, or by a
// short search where that searches itself. An integer program is for one way, which has to
// be found again for its solution, whatever the strategy.
func lookOptions(c *cli.Context, specs []output.Spec) alloc.Options {
	o := alloc.Options{Approach: alloc.Offsets, Strategy: c.String("strategy")}
	if program := slices.ContainsFunc(specs, func(s output.Spec) bool { return isProgram(s.Format) }); program || o.Strategy == alloc.Auto || o.Strategy == alloc.Exact {
		o.Strategy, o.SearchNodes = alloc.Exact, wayNodes
	}
	return o
}

// label makes the ID of a merged record one of all that it stands for, with the bytes that
// each begins behind it: for messages, and for who reads an integer program.
func label(m *merge.Merged, records []lifetime.Record) {
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

// narrowest returns the way that leads to the smallest arena, as far as a look tells until
// ctx ends, and its plan.
func narrowest(ctx context.Context, ways []way, look alloc.Options) (best way, looked *alloc.Plan, err error) {
	best = ways[0]
	for _, w := range ways {
		if ctx.Err() != nil || looked != nil && w.breadth >= looked.Total {
			break
		}
		plan, err := alloc.Solve(ctx, w.Records, look)
		if err != nil && ctx.Err() != nil {
			break
		}
		if err != nil {
			return best, nil, err
		}
		if looked == nil || plan.Total < looked.Total {
			best, looked = w, plan
		}
	}
	return best, looked, nil
}

// soFar returns the plan that was found while ways were looked at, for where it is better
// than what came later, or time was up before anything did; nil where there is none, and
// where err is another error.
func (j *job) soFar(o alloc.Options, err error) *alloc.Plan {
	late := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
	if j.aliasing == nil || j.aliasing.looked == nil || err != nil && !late {
		return nil
	}
	plan := *j.aliasing.looked
	plan.Strategy, plan.Interrupted = o.Strategy, plan.Interrupted || late
	return &plan
}

// doubt takes back what was proven of one way to share memory alone: another may lead to a
// smaller plan, unless a bound of all says that none does.
func (a *aliasing) doubt(plan *alloc.Plan, verdict *alloc.Verdict, capacity int64) {
	if !a.free {
		return
	}
	const reason = "the bytes at one operator that cannot share memory"
	plan.LowerBound, plan.Optimal, plan.Proof = a.bound, false, ""
	if plan.Total == plan.LowerBound {
		plan.Optimal, plan.Proof = true, "the total equals the lower bound: "+reason
	}
	if verdict == nil || verdict.Answer != alloc.Misfit {
		return
	}
	verdict.Answer, verdict.Proof, verdict.Core = alloc.Unknown, "", nil
	if a.bound > capacity {
		verdict.Answer, verdict.Proof = alloc.Misfit, reason
	}
}

// note says how many takeovers a plan has, and under which kernels it is right.
func (a *aliasing) note() string {
	if a.alias == rules.NoAlias {
		return fmt.Sprintf("outputs that take over an input's memory: 0, since --alias %s makes this plan no smaller", a.asked)
	}
	return fmt.Sprintf("outputs that take over an input's memory: %d (--alias %s); right with %s", len(a.Taken), a.alias, kernels(a.alias))
}

// aliasNote says how many takeovers a model has, what a lower bound means then, and under
// which kernels that is right.
func aliasNote(a rules.Alias, n int) string {
	return fmt.Sprintf("outputs that take over an input's memory: %d (--alias %s), and the lower bound is that of a plan in which they do; right with %s", n, a, kernels(a))
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

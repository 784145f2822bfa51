package main

import (
	"context"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/export"
	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// share lets the job's records share memory if --alias permits it.
func (p *program) share(ctx context.Context, c *cli.Context, j *job, specs []output.Spec) error {
	alias, err := aliasOf(c)
	switch {
	case err != nil || alias == rules.NoAlias:
		return err
	case !j.micro():
		return usagef("--alias %s: only TensorFlow Lite Micro lets a plan put tensors in the same place: use it with a model and --runtime tflm", alias)
	case c.String("approach") == string(alloc.Shared):
		return usagef("--alias %s is for offsets: leave --approach %s out", alias, alloc.Shared)
	}
	choice, err := inplace.Choose(ctx, j.freedoms(alias), inplace.Look(lookStrategy(c, specs)))
	if err != nil {
		return named(j.title, p.solveError(j.records, err))
	}
	j.alias, j.choice, j.records = alias, choice, choice.Records
	return nil
}

// freedoms returns the permissions of each --alias up to the given one.
func (j *job) freedoms(alias rules.Alias) (list []inplace.Freedom) {
	scratch := j.records[len(j.view.Records()):]
	for _, lesser := range alias.UpTo() {
		list = append(list, inplace.Freedom{
			Records:   append(slices.Clone(j.view.Remaining(lesser)), scratch...),
			Takeovers: j.view.Takeovers(lesser), Overlaps: j.view.Overlaps(lesser),
		})
	}
	return list
}

// lookStrategy returns the strategy that evaluates ways of sharing memory. An integer program is for
// one way, which has to be the same when its solution is read, whatever the strategy.
func lookStrategy(c *cli.Context, specs []output.Spec) string {
	if stated(specs) {
		return alloc.Exact
	}
	return c.String("strategy")
}

// stated reports whether the problem is written as an integer program.
func stated(specs []output.Spec) bool {
	return slices.ContainsFunc(specs, isFor(func(f export.Format) bool { return f.Program }))
}

// planned returns the records for strategies: the job's records, or the merged ones if some share
// memory on purpose. [job.layout] converts a plan of these.
func (j *job) planned() []lifetime.Record {
	if j.choice != nil {
		return j.choice.Merged.Records
	}
	return j.records
}

// permit adds the permitted overlaps of the planned records to a solver's options.
func (j *job) permit(o alloc.Options) alloc.Options {
	if j.choice == nil {
		return o
	}
	return j.choice.Permit(o)
}

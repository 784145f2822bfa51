package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/cache"
	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/alloc/late"
	"github.com/tflarena/tflarena/alloc/mip"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
)

func (p *program) plan(c *cli.Context) error {
	f, in, err := p.planFlags(c)
	if err != nil {
		return err
	}
	ctx, cancel := p.limit.within(p.ctx, 0)
	defer cancel()
	if len(f.shapes) == 1 {
		p.shapes = f.shapes[0]
	}
	switch {
	case f.Approach == textures:
		return p.planTextures(ctx, f, in)
	case len(f.shapes) > 1:
		return p.planShapes(ctx, f, in)
	case f.tiles != nil:
		return p.planTiling(ctx, f, in)
	}
	j, cases, err := p.problem(ctx, f, in.file, in.specs)
	if err != nil {
		return in.failed(err)
	}
	if cases != nil {
		return p.planTiles(ctx, f, j.Title, cases, in)
	}
	if err := checkPage(j, in.specs); err != nil {
		return err
	}
	p.warn(j.Title, j.Warnings)
	l, verdict, waves, err := p.placed(ctx, f, j)
	if err != nil {
		return in.failed(err)
	}
	r := l.Result()
	if j.IsMicro() {
		r.KernelLibrary = results.NewKernelLibrary(j.Device)
	}
	r.Waves, r.InputShapes = waves, inputShapes(p.shapes)
	p.judge(r, f.capacity, verdict)
	if !r.ProvenOptimal && f.Strategy != alloc.Exact && f.solution == "" && !f.waves && (r.Capacity == nil || r.Capacity.Verdict == results.Open) {
		r.Next = nextToProve(in.file, r.Approach, f.again)
	}
	return p.emit(in.specs, func(format string) ([]byte, error) {
		if format == jsonFormat {
			return p.document(in.command, []any{r})
		}
		return exported(l, format, max(f.capacity, 0))
	}, func() string { return r.Text(in.style) })
}

// placed returns the requested plan: in waves, of an external solver, or of a strategy.
func (p *program) placed(ctx context.Context, f *planFlags, j *app.Problem) (l *app.Placed, verdict *alloc.Verdict, waves *results.Waves, err error) {
	switch {
	case f.waves:
		l, waves, err = p.inWaves(ctx, f, j)
	case f.solution != "":
		l, err = p.readSolution(f, j)
	default:
		l, verdict, err = j.Plan(ctx, f.Options, f.capacity, p.solver(j.Title), p.decider(j.Title))
	}
	if fault := (*inplace.FaultError)(nil); errors.As(err, &fault) {
		err = faultError{fault.Err}
	}
	if errors.Is(err, cache.ErrTooLong) {
		err = named(j.Title, invalidError{fmt.Errorf("with --%s: %w: use a longer LINE", cacheFlagName, err)})
	}
	if err == nil {
		p.noteTime(j.Title, l.Interrupted)
		l.Sharing = sharingNotes(l)
	}
	return l, verdict, waves, err
}

// inWaves plans each time sizes become known.
func (p *program) inWaves(ctx context.Context, f *planFlags, j *app.Problem) (*app.Placed, *results.Waves, error) {
	switch {
	case j.View == nil && j.KnownAt == nil:
		return nil, nil, usagef("--waves: %s does not say when sizes become known: add a column known_at", j.Title)
	case j.View != nil && !j.View.Rules.IsLiteRT():
		return nil, nil, usagef("--waves: %s has no sizes that become known at run time: use --runtime %s", j.View.Rules.Title, rules.LiteRT().Name)
	case j.View != nil && j.View.Rules.InPlace:
		return nil, nil, usagef("--waves and --%s: whether tensors share memory depends on sizes that become known at run time: leave --%s out", shareFlag, shareFlag)
	case f.solution != "":
		return nil, nil, usagef("--waves and --solution: the plan can come from only one of them: leave the other out")
	}
	if j.View != nil {
		if err := j.Largest(); err != nil {
			return nil, nil, named(j.Title, invalidError{fmt.Errorf("%w; plan a CSV problem with a column known_at and sizes of your own", err)})
		}
	}
	o := f.Options
	defer p.showProgress(&o)()
	found, err := late.Solve(ctx, j.Records, j.KnownAt, o)
	if err != nil {
		return nil, nil, named(j.Title, p.solveError(j.Records, err))
	}
	l, err := j.Place(found.Plan)
	return l, results.NewWaves(found, j.View, j.Late), err
}

// solutionStrategy replaces a strategy in the report of a solver's plan.
const solutionStrategy = "solution"

// readSolution returns a solver's plan. The solver's own claim of a proof does not count: only a total
// that equals the lower bound is called optimal.
func (p *program) readSolution(f *planFlags, j *app.Problem) (*app.Placed, error) {
	// Solve checks the records and their pins first.
	options := j.Permit(alloc.Options{Approach: f.Approach, Strategy: "naive"})
	plan, err := alloc.Solve(p.ctx, j.Planned(), options)
	if err != nil {
		return nil, named(j.Title, p.solveError(j.Planned(), err))
	}
	data, err := readFile(p.ctx, f.solution, acceptText)
	if err != nil {
		return nil, err
	}
	from := &alloc.Plan{Approach: f.Approach, Strategy: solutionStrategy, Winner: solutionStrategy, Tried: 1, LowerBound: plan.LowerBound}
	if f.Approach == alloc.Shared {
		from.Objects, from.ObjectSizes, from.Total, err = mip.ReadSharedSolution(bytes.NewReader(data), j.Planned())
	} else {
		from.Offsets, from.Total, err = mip.ReadSolution(bytes.NewReader(data), j.Planned(), options.Forbidden)
	}
	if err != nil {
		return nil, named(f.solution, fmt.Errorf("no solution for %s: %w", j.Title, err))
	}
	if from.Total == from.LowerBound {
		from.Optimal, from.Proof = true, alloc.Proof{Kind: alloc.ByBound}
	}
	return j.Place(from)
}

// capacityCodes are the nonzero exit codes of verdicts on a capacity.
var capacityCodes = map[results.Feasibility]int{results.Infeasible: exitCheck, results.Open: exitNoAnswer}

// judge compares a plan with a capacity in bytes, if any, and sets the exit code. Verdict is the result
// of a search for the capacity, or nil.
func (p *program) judge(r *results.Plan, capacity int64, verdict *alloc.Verdict) {
	if capacity < 0 {
		return
	}
	if r.Judge(capacity); verdict != nil {
		r.Decide(capacity, verdict)
	}
	p.code = max(p.code, capacityCodes[r.Capacity.Verdict])
}

// planShapes plans a model with several shapes, one after the other: an arena for the largest plan
// suffices for all of them.
func (p *program) planShapes(ctx context.Context, f *planFlags, in *invocation) error {
	var list []*results.Plan
	var elements []any
	for k, shapes := range f.shapes {
		p.shapes = shapes
		j, _, err := p.problem(ctx, f, in.file, in.specs)
		if err != nil {
			return in.failed(err)
		}
		if k == 0 {
			p.warn(j.Title, j.Warnings)
		}
		l, _, _, err := p.placed(ctx, f, j)
		if err != nil {
			return in.failed(err)
		}
		r := l.Result()
		r.InputShapes = inputShapes(shapes)
		list, elements = append(list, r), append(elements, r)
	}
	return p.emit(in.specs, func(string) ([]byte, error) { return p.document(in.command, elements) }, func() string {
		return results.ShapesText(in.style, list)
	})
}

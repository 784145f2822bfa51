package app

import (
	"context"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/cache"
	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/alloc/late"
	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/problem"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite/op"
)

// A Problem is an input to plan: the rows of a CSV file, or the tensors of a model.
type Problem struct {
	Title, Runtime string
	// Records are the rows, or the tensors followed by the scratch. A plan that is shown or written
	// places these.
	Records         []lifetime.Record
	Notes, Warnings []results.Note
	// Rows is set for a CSV file, View for a model.
	Rows *problem.Problem
	View *rules.View
	// Device and Requests are the device and the counted scratch of a model in TensorFlow Lite Micro.
	Device   rules.Device
	Requests []rules.Request
	// KnownAt has the position at which the size of each record becomes known, or is nil if that is not
	// known. Late has the sizes of a model's tensors after [Problem.Largest].
	KnownAt []int
	Late    *op.Sizes
	// Alias is the permitted level of sharing, and Choice the chosen sharing, if any is permitted.
	Alias  rules.Alias
	Choice *inplace.Choice
	// Cache is the cache whose misses a plan saves, or nil.
	Cache *cache.Geometry
}

// ReadRows reads a CSV file. Its records are valid.
func ReadRows(title string, data []byte) (*Problem, error) {
	rows, err := problem.Parse(data)
	if err != nil {
		return nil, err
	}
	j := &Problem{Title: title, Rows: rows, Records: rows.Records, KnownAt: rows.KnownAt}
	if rows.InclusiveEnd != "" {
		j.Notes = append(j.Notes, results.Note{
			Kind: results.NoteEnd, Text: fmt.Sprintf("column %q is read as inclusive, the last position of a life; name it \"upper\" for half-open lives", rows.InclusiveEnd),
		})
	}
	for _, column := range rows.Unused {
		j.Warnings = append(j.Warnings, results.Note{
			Kind: results.WarnColumn, Text: fmt.Sprintf("column %q is not known, and is kept as it is", column),
		})
	}
	return j, lifetime.CheckRecords(j.Records)
}

// TensorsOf returns the tensors of a model as a problem.
func TensorsOf(v *rules.View) *Problem {
	j := &Problem{Title: v.Model.Name, Runtime: v.Rules.Name, View: v, Records: v.Records(), Warnings: notes.Warnings(v)}
	j.Notes = j.viewNotes(v.Notes)
	return j
}

// viewNotes returns notes on the figures of a model, including those of its view.
func (j *Problem) viewNotes(list []rules.Note) []results.Note {
	notes := results.RuleNotes(list)
	for _, md := range j.View.Model.Metadata {
		if j.IsMicro() && md.Name == rewrite.PlanName {
			return append(notes, results.Note{Kind: results.NotePlanAside, Text: "a memory plan (" + rewrite.PlanName + ") is embedded in the model; the runtime would follow it, but these figures do not"})
		}
	}
	return notes
}

// IsMicro reports whether the input is a model as TensorFlow Lite Micro sees it.
func (j *Problem) IsMicro() bool { return j.View != nil && j.View.Rules.IsMicro() }

// Align makes every offset a multiple of an alignment in bytes: scratch and in-place outputs of a model
// are then derived as by a runtime with that alignment. The error is about records.
func (j *Problem) Align(bytes int64) error {
	if j.View == nil {
		for i := range j.Records {
			j.Records[i].Align = bytes
		}
	} else {
		r := j.View.Rules
		r.Align = bytes
		v, err := r.View(j.View.Model, j.View.Subgraph)
		if err != nil {
			return err
		}
		j.View, j.Records = v, v.Records()
	}
	return lifetime.CheckRecords(j.Records)
}

// Largest gives each tensor of a model its largest size, and finds the position at which the size becomes
// known. It returns the errors of [op.SizesOf].
func (j *Problem) Largest() error {
	sizes, err := op.SizesOf(j.View.Model, j.View.Subgraph)
	if err != nil {
		return err
	}
	r := j.View.Rules
	r.LateSizes = true
	v, err := r.View(sizes.Largest, j.View.Subgraph)
	if err != nil {
		return err
	}
	at := map[int]int{op.Fixed: late.FromStart}
	for position, s := range v.Usage.Steps {
		at[s.Operator] = position
	}
	j.View, j.Records, j.Late, j.KnownAt = v, slices.Clone(v.Records()), sizes, nil
	for _, p := range v.Usage.Places {
		j.KnownAt = append(j.KnownAt, at[sizes.After[p.Tensor]])
	}
	if slices.Contains(j.KnownAt, 0) { // inside the first operator, when the inputs have their places
		for i, p := range v.Usage.Places {
			if slices.Contains(v.Model.Subgraphs[p.Subgraph].Inputs, p.Tensor) {
				j.Records[i].First = -1
			}
		}
	}
	j.Notes = j.viewNotes(v.Notes)
	return lifetime.CheckRecords(j.Records)
}

// On sets the device of a model in TensorFlow Lite Micro, and adds its scratch to the records, so that
// the head is the interpreter's. The error is about records.
func (j *Problem) On(d rules.Device) error {
	if j.Device = d; d.ScratchSource() == rules.NoScratch {
		return nil
	}
	j.Requests = d.Requests(j.View.Model)
	j.Records = j.View.WithScratch(j.Requests)
	j.Notes = append(j.viewNotes(j.View.NotesWithScratch()), notes.ScratchNote(d, j.View.Model))
	return lifetime.CheckRecords(j.Records)
}

// Share lets the records of a model share memory as far as a level permits. Look is the strategy that
// evaluates ways of sharing. It returns the errors of [inplace.Choose].
func (j *Problem) Share(ctx context.Context, alias rules.Alias, look string) error {
	scratch := j.Records[len(j.View.Records()):]
	var levels []inplace.Freedom
	for _, lesser := range alias.UpTo() {
		levels = append(levels, inplace.Freedom{
			Records:   append(slices.Clone(j.View.Remaining(lesser)), scratch...),
			Takeovers: j.View.Takeovers(lesser), Overlaps: j.View.Overlaps(lesser),
		})
	}
	choice, err := inplace.Choose(ctx, levels, inplace.Look(look))
	if err == nil {
		j.Alias, j.Choice, j.Records = alias, choice, choice.Records
	}
	return err
}

// Planned returns the records for strategies: the records, or the merged ones if some share memory on
// purpose. [Problem.Place] converts a plan of these.
func (j *Problem) Planned() []lifetime.Record {
	if j.Choice != nil {
		return j.Choice.Merged.Records
	}
	return j.Records
}

// Permit adds the permitted overlaps of the planned records to a solver's options.
func (j *Problem) Permit(o alloc.Options) alloc.Options {
	if j.Choice == nil {
		return o
	}
	return j.Choice.Permit(o)
}

// A Decider decides whether records fit into a capacity in bytes. Its errors name the input.
type Decider func(ctx context.Context, records []lifetime.Record, capacity int64, o alloc.Options) (*alloc.Verdict, error)

// Plan returns the plan of a strategy, converted by [Problem.Place]. With a capacity of at least zero,
// searching strategies look for a plan within it, and there is a verdict. With a cache, the plan is the
// one with the fewest misses found.
func (j *Problem) Plan(ctx context.Context, o alloc.Options, capacity int64, solve Solver, decide Decider) (*Placed, *alloc.Verdict, error) {
	plan, verdict, err := j.search(ctx, o, capacity, solve, decide)
	if err != nil {
		return nil, nil, err
	}
	counts, err := j.saveMisses(ctx, plan, o.Seed)
	if err != nil {
		return nil, nil, err
	}
	l, err := j.Place(plan)
	if err == nil && verdict != nil && j.Choice != nil {
		verdict = j.Choice.Verdict(verdict, capacity)
	}
	if err == nil {
		l.CacheCounts = counts
	}
	return l, verdict, err
}

// search returns a plan of the planned records, and a verdict on them.
func (j *Problem) search(ctx context.Context, o alloc.Options, capacity int64, solve Solver, decide Decider) (*alloc.Plan, *alloc.Verdict, error) {
	if searches := o.Strategy == alloc.Auto || o.Strategy == alloc.Exact; capacity < 0 || !searches || o.Approach != alloc.Offsets {
		plan, err := solve(ctx, j.Planned(), j.Permit(o))
		if looked := j.Choice.Instead(plan, err, o.Strategy); looked != nil {
			return looked, nil, nil
		}
		return plan, nil, err
	}
	verdict, err := decide(ctx, j.Planned(), capacity, j.Permit(o))
	if looked := j.Choice.InsteadWithin(capacity, verdict, err, o.Strategy); looked != nil {
		return looked, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if looked := j.Choice.Instead(verdict.Plan, nil, o.Strategy); looked != nil {
		verdict.Plan = looked
	}
	return verdict.Plan, verdict, nil
}

// A Placed is a problem with a plan of its records: of every single tensor of a model, and its scratch,
// even if several of them were planned as one. Everything shown or written of a plan derives from it.
type Placed struct {
	*Problem
	*alloc.Plan
	// Sharing are notes on the tensors that share memory on purpose.
	Sharing []results.Note
	// CacheCounts are the accesses and misses in the cache, or nil without one.
	CacheCounts *cache.Result
}

// Place converts a plan of the planned records into one of the records. It has passed the checker. The
// error is an [*inplace.FaultError].
func (j *Problem) Place(plan *alloc.Plan) (*Placed, error) {
	if j.Choice == nil {
		return &Placed{Problem: j, Plan: plan}, nil
	}
	all, err := j.Choice.Plan(plan)
	return &Placed{Problem: j, Plan: all}, err
}

// Result returns the plan for people and JSON.
func (l *Placed) Result() *results.Plan {
	var places results.Places
	if l.View != nil {
		places = results.PlacesOf(l.View.Model, l.View.Usage)
	}
	r := results.NewPlan(l.Title, l.Runtime, places, l.Records, l.Plan)
	if l.Choice != nil {
		r.Alias, r.Takeovers = l.Alias, results.NewTakeovers(l.Records, l.Choice.Taken(l.Offsets))
		if overlapping := l.Choice.Overlapping(l.Offsets); len(overlapping) > 0 {
			r.Overlaps = results.NewOverlaps(l.Records, overlapping)
		}
	}
	if l.CacheCounts != nil {
		r.Cache = results.NewCache(*l.Cache, l.CacheCounts)
	}
	r.Notes = append(append(r.Notes, l.Sharing...), l.Notes...)
	r.Warnings = append(r.Warnings, l.Warnings...)
	return r
}

package transform

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Options configure a transformation.
type Options struct {
	// Device is the target. Its kernel library decides which rules are exact and which operators have faults.
	Device rules.Device
	// NoAssertions says that the target's build has no assertions (NDEBUG), so that operators are permitted that
	// abort in other builds only.
	NoAssertions bool
	// Everywhere restricts [Substitute] to rules that are exact in LiteRT, too, with its default kernels and with its
	// reference kernels.
	Everywhere bool
	// Force overrides a refusal of the rewriter.
	Force bool
}

// substitutions returns the rules of [Substitute].
func (o *Options) substitutions() (list []*Rule) {
	for _, r := range of(Memory, Work) {
		if r.Exact.LiteRT && r.Exact.Reference || !o.Everywhere {
			list = append(list, r)
		}
	}
	return list
}

// rewrite returns the options of the rewriter.
func (o *Options) rewrite() rewrite.Options { return rewrite.Options{Force: o.Force} }

// Applied is a rule that was applied.
type Applied struct {
	Rule *Rule
	// Operators are the replaced operators, in the model before the rule was applied.
	Operators []Place
	// Saved is the number of bytes by which the required arena would be larger without the rule, with a plan for
	// either model that takes no more than its operator with the largest breadth.
	Saved int64
}

// Place is an operator of a model.
type Place struct {
	Subgraph, Operator int
	Name               string
}

// Result is a transformed model.
type Result struct {
	// Model is the new model, or the model itself if no rule was applied.
	Model *tflite.Model
	// Applied are the rules that were applied, in order.
	Applied []Applied
	// Left are the faults that make a check of the model fail and that no rule of [Repair] avoids.
	Left []rules.Fault
}

// most is the number of times that rules are applied to the result of rules, at most. Few rules make room for
// others.
const most = 4

// Substitute applies the rules that save memory or work on a device, where they do: no operator is replaced
// whose replacement has a fault on the device that the original has not, and none without gain. The embedded memory plan
// is removed if there is a change.
//
// When ctx ends, it returns the best model so far. Its errors are those of [edit.Apply] and of
// [rules.Rules.View].
func Substitute(ctx context.Context, m *tflite.Model, o Options) (*Result, error) {
	r := &Result{Model: m}
	for range most {
		list := find(r.Model, o.Device, o.substitutions(), anywhere)
		if len(list) == 0 || ctx.Err() != nil {
			break
		}
		s := substitution{options: o, model: r.Model}
		changed, err := s.best(ctx, list)
		if err != nil {
			return nil, err
		}
		if changed == nil {
			break
		}
		if err := s.describe(changed); err != nil {
			return nil, err
		}
		if err := r.apply(changed.list, s.applied, o); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// apply applies matches to the model of a result, with a record of the rules.
func (r *Result) apply(list []match, applied []Applied, o Options) error {
	record, err := recorded(r.Model, applied)
	if err != nil {
		return err
	}
	m, _, err := apply(r.Model, list, record, o.rewrite())
	if err != nil {
		return err
	}
	r.Model, r.Applied = m, append(r.Applied, applied...)
	return nil
}

// substitution chooses among the matches of a model.
type substitution struct {
	options Options
	model   *tflite.Model
	applied []Applied
}

// trial is the model with some of the matches.
type trial struct {
	list  []match
	model *tflite.Model
	size  int64
}

// try applies matches.
func (s *substitution) try(list []match) (*trial, error) {
	m, _, err := apply(s.model, list, nil, s.options.rewrite())
	if err != nil {
		return nil, err
	}
	size, err := least(m, s.options.Device)
	return &trial{list, m, size}, err
}

// best returns the model with the matches that save memory or work, or nil if there are none.
func (s *substitution) best(ctx context.Context, list []match) (*trial, error) {
	list, err := s.sound(list)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	before, err := least(s.model, s.options.Device)
	if err != nil {
		return nil, err
	}
	all, err := s.try(list)
	if err != nil {
		return nil, err
	}
	// Leave out what gains nothing, in ever smaller parts: for a large model with one operator that matters, that
	// takes the logarithm of the trials of one at a time.
	for size := (len(all.list) + 1) / 2; size > 0 && ctx.Err() == nil; size /= 2 {
		for at := 0; at < len(all.list) && ctx.Err() == nil; {
			end := min(at+size, len(all.list))
			fewer, err := s.without(all, at, end, before)
			if err != nil {
				return nil, err
			}
			if fewer != nil {
				all = fewer
			} else {
				at = end
			}
		}
	}
	if len(all.list) == 0 || all.size > before {
		return nil, nil
	}
	return all, nil
}

// without returns the trial without the matches from at to end, if they gain nothing: they save no memory, and
// no work.
func (s *substitution) without(all *trial, at, end int, before int64) (*trial, error) {
	if all.size <= before && slices.ContainsFunc(all.list[at:end], func(m match) bool { return m.rule.Purpose == Work }) {
		return nil, nil
	}
	fewer, err := s.try(append(slices.Clone(all.list[:at]), all.list[end:]...))
	if err != nil || fewer.size > all.size {
		return nil, err
	}
	return fewer, nil
}

// sound returns the matches whose operators have no fault that the originals have not.
func (s *substitution) sound(list []match) ([]match, error) {
	faults := s.options.Device.Rules().Faults(s.model)
	for len(list) > 0 {
		m, origins, err := apply(s.model, list, nil, s.options.rewrite())
		if err != nil {
			return nil, err
		}
		bad := map[int]bool{}
		for _, f := range s.options.Device.Rules().Faults(m) {
			if f.Operator < 0 || s.options.NoAssertions && f.Assertions() {
				continue
			}
			if i := origins[f.Subgraph][f.Operator]; i >= 0 && !s.had(faults, &list[i], f) {
				bad[i] = true
			}
		}
		if len(bad) == 0 {
			return list, nil
		}
		var good []match
		for i := range list {
			if !bad[i] {
				good = append(good, list[i])
			}
		}
		list = good
	}
	return nil, nil
}

// had reports whether an operator that a match replaces has the same fault.
func (s *substitution) had(faults []rules.Fault, m *match, f rules.Fault) bool {
	return slices.ContainsFunc(faults, func(old rules.Fault) bool {
		return old.Subgraph == m.change.site.sub.Index && slices.Contains(m.change.gone, old.Operator) && old.Name == f.Name && old.Reason == f.Reason
	})
}

// describe sets the applied rules of a trial, with what each of them saves.
func (s *substitution) describe(t *trial) error {
	for _, r := range table {
		x := Applied{Rule: r}
		var others []match
		for _, m := range t.list {
			if m.rule != r {
				others = append(others, m)
				continue
			}
			x.Operators = append(x.Operators, m.place())
		}
		if len(x.Operators) == 0 {
			continue
		}
		without, err := s.try(others)
		if err != nil {
			return err
		}
		x.Saved = without.size - t.size
		s.applied = append(s.applied, x)
	}
	return nil
}

// place returns the operator of a match.
func (m *match) place() Place {
	o := m.change.site
	return Place{o.sub.Index, o.op.Index, o.op.Name}
}

// readers reports whether all readers of a tensor are of an operator code.
func (s *site) readers(t int, code schema.BuiltinOperator) bool {
	list := s.sub.Tensors[t].Consumers
	return len(list) > 0 && !slices.ContainsFunc(list, func(i int) bool { return s.m.OperatorCodes[s.sub.Operators[i].Code].Builtin != code })
}

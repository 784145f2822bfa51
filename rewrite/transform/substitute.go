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

// rewrite returns the options of the rewriter.
func (o *Options) rewrite() rewrite.Options { return rewrite.Options{Force: o.Force} }

// substitutions returns the rules of [Substitute].
func (o *Options) substitutions() (list []*Rule) {
	for _, r := range of(Memory, Work) {
		if r.Exact.LiteRT && r.Exact.Reference || !o.Everywhere {
			list = append(list, r)
		}
	}
	return list
}

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
	for round := range most {
		if ctx.Err() != nil {
			break
		}
		s := substitution{options: o, model: r.Model, rules: o.substitutions(), thorough: round == 0}
		changed, err := s.best(ctx)
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

// Separates reports whether [Separate] may replace operators of a kind.
func Separates(code schema.BuiltinOperator) bool {
	return slices.ContainsFunc(of(Tiling), func(r *Rule) bool { return slices.Contains(r.Operators, code) })
}

// Separate applies the rules for [Tiling] wherever they can be, whether that saves memory or not: tiling does. The embedded
// memory plan is removed if there is a change.
func Separate(m *tflite.Model, o Options) (*Result, error) {
	r := &Result{Model: m}
	s := substitution{options: o, model: m}
	list, err := s.sound(find(m, o.Device, of(Tiling), anywhere))
	if err != nil || len(list) == 0 {
		return r, err
	}
	for _, rule := range of(Tiling) {
		x := Applied{Rule: rule}
		for _, m := range list {
			if m.rule == rule {
				x.Operators = append(x.Operators, m.place())
			}
		}
		if len(x.Operators) > 0 {
			s.applied = append(s.applied, x)
		}
	}
	return r, r.apply(list, s.applied, o)
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

// sound returns the matches that the rewriter does not refuse, and whose operators have no fault that the originals
// have not.
func (s *substitution) sound(list []match) ([]match, error) {
	list, _, err := permitted(s.model, list, s.options.rewrite())
	if err != nil {
		return nil, err
	}
	faults := s.options.Device.Rules().Faults(s.model)
	for len(list) > 0 {
		m, origins, err := apply(s.model, list, nil, s.options.rewrite())
		if err != nil {
			return nil, err
		}
		bad := s.faulty(list, origins, faults, s.options.Device.Rules().Faults(m))
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

// faulty returns the indexes of matches whose operators have a fault that the originals have not. If an operator of the
// file has a new fault, these are the matches that give operators other inputs.
func (s *substitution) faulty(list []match, origins [][]int, before, after []rules.Fault) map[int]bool {
	bad, old := map[int]bool{}, byOperator(before)
	for _, f := range after {
		if f.Operator < 0 || s.options.NoAssertions && f.Assertions() {
			continue
		}
		if i := origins[f.Subgraph][f.Operator]; i >= 0 && !had(old, list[i].change, f) {
			bad[i] = true
		}
	}
	if len(bad) > 0 {
		return bad
	}
	for _, f := range rules.Introduced(before, after) {
		if f.Operator >= 0 && origins[f.Subgraph][f.Operator] >= 0 {
			continue
		}
		for i := range list {
			bad[i] = bad[i] || len(list[i].change.instead) > 0
		}
	}
	return bad
}

// had reports whether an operator that a change replaces has the same fault.
func had(faults operatorFaults, c *change, f rules.Fault) bool {
	return slices.ContainsFunc(c.gone, func(o int) bool {
		return slices.ContainsFunc(faults[[2]int{c.site.sub.Index, o}], func(old rules.Fault) bool { return old.Name == f.Name && old.Reason == f.Reason })
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

package transform

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// substitution chooses among the matches of a model.
type substitution struct {
	options Options
	model   *tflite.Model
	// rules are those that may be applied.
	rules []*Rule
	// thorough tries matches again that gained nothing at first, together with others.
	thorough bool
	// trials is the number of models that may still be tried.
	trials int
	// before is the required arena of the model.
	before  int64
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
	s.trials--
	m, _, err := apply(s.model, list, nil, s.options.rewrite())
	if err != nil {
		return nil, err
	}
	size, err := least(m, s.options.Device)
	return &trial{list, m, size}, err
}

// trialsOf returns the number of models to try: each takes a time that grows with the model, so fewer for a large one.
func trialsOf(m *tflite.Model) int {
	const least, most, operators, bytes = 16, 400, 40_000, 1 << 28
	return max(least, min(most, operators/max(m.OperatorCount(), 1), bytes/max(len(m.Data), 1)))
}

// best returns the model with the matches that save memory or work, or nil if there are none.
func (s *substitution) best(ctx context.Context) (best *trial, err error) {
	if s.before, err = least(s.model, s.options.Device); err != nil {
		return nil, err
	}
	s.trials = trialsOf(s.model)
	for _, first := range s.orders() {
		if ctx.Err() != nil || best != nil && s.trials < 0 {
			break
		}
		t, err := s.chosen(ctx, s.find(first))
		if err != nil {
			return nil, err
		}
		if t != nil && (best == nil || t.size < best.size) {
			best = t
		}
	}
	return best, nil
}

// find returns the matches of all rules, those of the first rules before any other.
func (s *substitution) find(first []*Rule) []match {
	found := find(s.model, s.options.Device, first, anywhere)
	return findMore(found, s.model, s.options.Device, s.rules, anywhere)
}

// orders returns lists of rules to try first: none, and each rule that another one keeps from an operator.
func (s *substitution) orders() [][]*Rule {
	orders := [][]*Rule{nil}
	applied := map[Place]*Rule{}
	for _, m := range s.find(nil) {
		applied[m.place()] = m.rule
	}
	for _, r := range s.rules {
		first := []*Rule{r}
		found := find(s.model, s.options.Device, first, anywhere)
		if slices.ContainsFunc(found, func(m match) bool { return applied[m.place()] != r }) {
			orders = append(orders, first)
		}
	}
	return orders
}

// chosen returns the model with those matches that save memory or work, or nil if there are none.
func (s *substitution) chosen(ctx context.Context, list []match) (*trial, error) {
	list, err := s.sound(list)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	t, err := s.try(list)
	if err != nil {
		return nil, err
	}
	for _, r := range s.rules {
		part := slices.DeleteFunc(slices.Clone(t.list), func(m match) bool { return m.rule != r })
		if t, err = s.without(ctx, t, part); err != nil {
			return nil, err
		}
	}
	if s.thorough {
		if t, err = s.withOthers(ctx, t, list); err != nil {
			return nil, err
		}
	}
	if len(t.list) == 0 || t.size > s.before {
		return nil, nil
	}
	return t, nil
}

// without leaves out those of the matches of one rule that gain nothing: all, or else those of either half. Matches of
// [Work] gain something unless they cost memory, all together.
func (s *substitution) without(ctx context.Context, t *trial, part []match) (*trial, error) {
	if len(part) == 0 || ctx.Err() != nil || s.trials < 0 {
		return t, nil
	}
	fewer, err := s.try(slices.DeleteFunc(slices.Clone(t.list), func(m match) bool { return has(part, m) }))
	if err != nil {
		return nil, err
	}
	work := part[0].rule.Purpose == Work
	switch {
	case work && fewer.size >= t.size:
		return t, nil
	case !work && fewer.size <= t.size || len(part) == 1 && fewer.size < t.size:
		return fewer, nil
	case len(part) == 1:
		return t, nil
	}
	half := len(part) / 2
	if t, err = s.without(ctx, t, part[:half]); err != nil {
		return nil, err
	}
	return s.without(ctx, t, part[half:])
}

// has reports whether a list has a match.
func has(list []match, m match) bool {
	return slices.ContainsFunc(list, func(x match) bool { return x.change == m.change })
}

// maxOthers is the number of matches that are tried again, at most.
const maxOthers = 64

// withOthers adds those matches of a list that save memory together with the chosen ones, one at a time.
func (s *substitution) withOthers(ctx context.Context, t *trial, list []match) (*trial, error) {
	others := slices.DeleteFunc(slices.Clone(list), func(m match) bool { return has(t.list, m) })
	for _, m := range others[:min(len(others), maxOthers)] {
		if ctx.Err() != nil || s.trials < 0 {
			break
		}
		more, err := s.try(append(slices.Clone(t.list), m))
		if err != nil {
			return nil, err
		}
		if more.size < t.size {
			t = more
		}
	}
	return t, nil
}

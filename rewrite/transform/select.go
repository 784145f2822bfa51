package transform

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// substitution chooses among the matches of a model.
type substitution struct {
	options  Options
	model    *tflite.Model
	purposes []Purpose
	// thorough tries matches again that gained nothing at first, together with others.
	thorough bool
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
	m, _, err := apply(s.model, list, nil, rewrite.Options{Force: s.options.Force})
	if err != nil {
		return nil, err
	}
	size, err := least(m, s.options.Device)
	return &trial{list, m, size}, err
}

// best returns the model with the matches that save memory or work, or nil if there are none.
func (s *substitution) best(ctx context.Context) (best *trial, err error) {
	if s.before, err = least(s.model, s.options.Device); err != nil {
		return nil, err
	}
	for _, first := range s.orders() {
		if ctx.Err() != nil {
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
	return findMore(found, s.model, s.options.Device, of(s.purposes...), anywhere)
}

// orders returns lists of rules to try first: none, and each rule that another one keeps from an operator.
func (s *substitution) orders() [][]*Rule {
	orders := [][]*Rule{nil}
	applied := map[Place]*Rule{}
	for _, m := range s.find(nil) {
		applied[m.place()] = m.rule
	}
	for _, r := range of(s.purposes...) {
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
	for _, reduce := range []func(context.Context, *trial) (*trial, error){s.withoutRules, s.withoutParts} {
		if t, err = reduce(ctx, t); err != nil {
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

// withoutRules leaves out all matches of rules that gain nothing.
func (s *substitution) withoutRules(ctx context.Context, t *trial) (*trial, error) {
	for _, r := range of(s.purposes...) {
		others := slices.DeleteFunc(slices.Clone(t.list), func(m match) bool { return m.rule == r })
		if len(others) == len(t.list) || ctx.Err() != nil {
			continue
		}
		fewer, err := s.try(others)
		if err != nil {
			return nil, err
		}
		if fewer.size < t.size || fewer.size == t.size && r.Purpose != Work {
			t = fewer
		}
	}
	return t, nil
}

// withoutParts leaves out matches that gain nothing, in ever smaller parts: for a large model with one operator that
// matters, that takes the logarithm of the trials of one at a time.
func (s *substitution) withoutParts(ctx context.Context, t *trial) (*trial, error) {
	for size := (len(t.list) + 1) / 2; size > 0; size /= 2 {
		for at := 0; at < len(t.list) && ctx.Err() == nil; {
			end := min(at+size, len(t.list))
			fewer, err := s.without(t, at, end)
			if err != nil {
				return nil, err
			}
			if fewer != nil {
				t = fewer
			} else {
				at = end
			}
		}
	}
	return t, nil
}

// without returns the trial without the matches from at to end if they gain nothing, or else nil. A match of
// [Work] gains something unless it costs memory, alone.
func (s *substitution) without(t *trial, at, end int) (*trial, error) {
	work := slices.ContainsFunc(t.list[at:end], func(m match) bool { return m.rule.Purpose == Work })
	if work && end-at > 1 {
		return nil, nil
	}
	fewer, err := s.try(append(slices.Clone(t.list[:at]), t.list[end:]...))
	if err != nil || fewer.size > t.size || work && fewer.size == t.size {
		return nil, err
	}
	return fewer, nil
}

// withOthers adds those matches of a list that save memory together with the chosen ones, one at a time.
func (s *substitution) withOthers(ctx context.Context, t *trial, list []match) (*trial, error) {
	for i := range list {
		if ctx.Err() != nil || slices.ContainsFunc(t.list, func(m match) bool { return m.change == list[i].change }) {
			continue
		}
		more, err := s.try(append(slices.Clone(t.list), list[i]))
		if err != nil {
			return nil, err
		}
		if more.size < t.size {
			t = more
		}
	}
	return t, nil
}

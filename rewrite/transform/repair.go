package transform

import (
	"context"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// Bounds of a repair: the number of rounds, each of which avoids at least one fault, and the number of rules
// that it takes to avoid one.
const (
	maxRounds = 32
	maxChain  = 3
)

// Repair applies the rules that avoid faults of a device's kernels: to operators that a kernel refuses,
// crashes on or miscomputes, or whose output depends on old memory. Faults that only builds with assertions
// have are avoided too, unless [Options.NoAssertions] is set. No operator is replaced whose replacement has
// as many faults, and the model has no new kind of failing fault. The embedded memory plan is removed if
// there is a change. Left lists the failing faults that stay.
//
// Without a device, the kernels are the reference kernels. When ctx ends, Repair returns the best model so far.
// Its errors are those of [edit.Apply]: a [*rewrite.RefusedError] only if nothing could be changed.
func Repair(ctx context.Context, m *tflite.Model, o Options) (*Result, error) {
	o.Device = o.Device.OrDefault()
	r := &repairer{options: o, rules: of(Work, Repairs)}
	start := &Result{Model: m}
	if err := start.files(o); err != nil {
		return nil, err
	}
	now := r.attempt(start)
	best, before := now, now.faults
	for range maxRounds {
		next, err := r.better(ctx, now, maxChain)
		if err != nil {
			return nil, err
		}
		if next == nil {
			break
		}
		if now = next; len(rules.Introduced(before, now.faults)) == 0 {
			best = now
		}
	}
	if len(best.result.Applied) == 0 && r.refused != nil {
		return nil, r.refused
	}
	best.result.Left = rules.Failing(best.faults)
	return best.result, nil
}

// A repairer holds the input of a repair, and the first refusal of the rewriter.
type repairer struct {
	options Options
	rules   []*Rule
	refused error
}

// An attempt is a model on the way to a repair, with the faults that a repair may avoid.
type attempt struct {
	result *Result
	faults []rules.Fault
}

// attempt returns the attempt of a result.
func (r *repairer) attempt(result *Result) *attempt {
	return &attempt{result, r.avoidable(result.Model)}
}

// avoidable returns the faults of a model without those of builds that do not matter.
func (r *repairer) avoidable(m *tflite.Model) (list []rules.Fault) {
	for _, f := range r.options.Device.Rules().Faults(m) {
		if !r.options.NoAssertions || !f.Assertions() {
			list = append(list, f)
		}
	}
	return list
}

// better returns an attempt with fewer faults, by one rule or by a chain of at most length rules, or nil.
func (r *repairer) better(ctx context.Context, now *attempt, length int) (*attempt, error) {
	var detours []*attempt
	before := byOperator(now.faults)
	for _, rule := range r.rules {
		list := r.matches(now, before, rule)
		if len(list) == 0 {
			continue
		}
		if ctx.Err() != nil {
			return nil, nil
		}
		list, err := r.permitted(now, list)
		if err != nil {
			return nil, err
		}
		good, others, err := r.sort(now, before, list)
		if err != nil {
			return nil, err
		}
		if len(good) > 0 {
			return r.applied(now, rule, good)
		}
		for _, list := range others {
			detour, err := r.applied(now, rule, list)
			if err != nil {
				return nil, err
			}
			detours = append(detours, detour)
		}
	}
	for _, detour := range detours {
		if next, err := r.follow(ctx, now, detour, length-1); err != nil || next != nil {
			return next, err
		}
	}
	return nil, nil
}

// follow applies up to length rules more after a detour, which leaves as many faults as now. It returns an
// attempt with fewer, or nil.
func (r *repairer) follow(ctx context.Context, now, detour *attempt, length int) (*attempt, error) {
	for ; length > 0; length-- {
		next, err := r.better(ctx, detour, length)
		if err != nil || next == nil {
			return nil, err
		}
		if detour = next; fewer(detour.faults, now.faults) {
			return detour, nil
		}
	}
	return nil, nil
}

// fewer reports whether a list has fewer failing faults than another, or as many and fewer faults.
func fewer(a, b []rules.Fault) bool {
	x, y := len(rules.Failing(a)), len(rules.Failing(b))
	return x < y || x == y && len(a) < len(b)
}

// matches returns the matches of a rule among operators with faults.
func (r *repairer) matches(now *attempt, faults operatorFaults, rule *Rule) []match {
	return find(now.result.Model, r.options.Device, []*Rule{rule}, func(subgraph, operator int) bool {
		return len(faults[[2]int{subgraph, operator}]) > 0
	})
}

// permitted returns the matches that the rewriter does not refuse.
func (r *repairer) permitted(now *attempt, list []match) ([]match, error) {
	list, refused, err := permitted(now.result.Model, list, r.options.rewrite())
	if r.refused == nil {
		r.refused = refused
	}
	return list, err
}

// sort returns the matches that leave fewer faults, and groups of those that leave others. The matches of a
// group avoid the same faults and make the same.
func (r *repairer) sort(now *attempt, before operatorFaults, list []match) (good []match, others [][]match, err error) {
	m, origins, err := apply(now.result.Model, list, nil, r.options.rewrite())
	if err != nil {
		return nil, nil, err
	}
	after := byOperator(r.avoidable(m))
	made := make([][]int, len(list))
	for _, operators := range origins {
		for o, i := range operators {
			if i >= 0 {
				made[i] = append(made[i], o)
			}
		}
	}
	groups := map[string]int{}
	for i := range list {
		c := list[i].change
		gone := slices.Clone(c.gone)
		slices.Sort(gone)
		a, b := scoreOf(before, c.site.sub.Index, gone), scoreOf(after, c.site.sub.Index, made[i])
		if b.less(a) {
			good = append(good, list[i])
		} else if kinds := a.kinds + " -> " + b.kinds; a.kinds != b.kinds {
			at, ok := groups[kinds]
			if !ok {
				at, others = len(others), append(others, nil)
				groups[kinds] = at
			}
			others[at] = append(others[at], list[i])
		}
	}
	return good, others, nil
}

// applied returns the attempt with the matches of a rule.
func (r *repairer) applied(now *attempt, rule *Rule, list []match) (*attempt, error) {
	x := Applied{Rule: rule}
	for i := range list {
		x.Operators = append(x.Operators, list[i].place())
	}
	next := &Result{Model: now.result.Model, Applied: slices.Clone(now.result.Applied)}
	if err := next.apply(list, []Applied{x}, r.options); err != nil {
		return nil, err
	}
	return r.attempt(next), nil
}

// A score compares the faults of an operator with those of its replacements: by the number of failing ones, and
// of all. Equal faults of several replacements count as one.
type score struct {
	failing, all int
	kinds        string
}

// scoreOf returns the score of the faults of some operators of a subgraph.
func scoreOf(faults operatorFaults, subgraph int, operators []int) (s score) {
	type kind struct{ name, reason string }
	seen := map[kind]bool{}
	for _, o := range operators {
		for _, f := range faults[[2]int{subgraph, o}] {
			k := kind{f.Name, f.Reason}
			if seen[k] {
				continue
			}
			seen[k] = true
			s.all++
			if f.Fails {
				s.failing++
			}
			s.kinds += f.Name + " " + f.Reason + "; "
		}
	}
	return s
}

// operatorFaults are faults by subgraph and operator index.
type operatorFaults map[[2]int][]rules.Fault

func byOperator(list []rules.Fault) operatorFaults {
	faults := operatorFaults{}
	for _, f := range list {
		key := [2]int{f.Subgraph, f.Operator}
		faults[key] = append(faults[key], f)
	}
	return faults
}

func (s score) less(t score) bool {
	return s.failing < t.failing || s.failing == t.failing && s.all < t.all
}

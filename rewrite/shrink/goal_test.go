package shrink

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// drawnCost returns a cost of small numbers, so that many are the same.
func drawnCost(t *rapid.T) *Cost {
	n := func(name string) int64 { return rapid.Int64Range(0, 3).Draw(t, name) }
	c := &Cost{Figures: rules.Figures{Head: n("head"), Tail: n("tail")}, ExtraMACs: n("work"), FileBytes: n("bytes"), Operators: int(n("operators"))}
	c.Overhead = float64(c.ExtraMACs) / 150
	c.Used = c.Head + c.Tail
	c.Required = c.Used + n("setup")
	return c
}

func drawnGoal(t *rapid.T) *Goal {
	g := &Goal{MaxOverhead: rapid.SampledFrom([]float64{-1, 0, 0.01}).Draw(t, "overhead")}
	if rapid.Bool().Draw(t, "head") {
		g.HeadBudget = rapid.Int64Range(1, 4).Draw(t, "head budget")
	}
	if rapid.Bool().Draw(t, "arena") {
		g.Budget = rapid.Int64Range(1, 7).Draw(t, "arena budget")
	}
	g.LeastHead = !g.bounded() && rapid.Bool().Draw(t, "least head")
	return g
}

// TestCompareIsAnOrder: no cost is better than itself, of two at most one is, and better than the
// better is better; one within the goal is better than any that is not, and one that needs no more of
// anything is not worse.
func TestCompareIsAnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawnGoal(t)
		a, b, c := drawnCost(t), drawnCost(t), drawnCost(t)
		switch {
		case g.Compare(a, a) != 0:
			t.Fatalf("%+v is not as good as itself", a)
		case g.Compare(a, b) != -g.Compare(b, a):
			t.Fatalf("%+v and %+v", a, b)
		case g.Compare(a, b) <= 0 && g.Compare(b, c) <= 0 && g.Compare(a, c) > 0:
			t.Fatalf("%+v is no worse than %+v, and that than %+v, but not the first than the last", a, b, c)
		case g.met(a) && !g.met(b) && g.Compare(a, b) >= 0:
			t.Fatalf("%+v meets the goal, %+v does not, and is not worse", a, b)
		case a.dominates(b) && a.FileBytes <= b.FileBytes && g.Compare(a, b) > 0:
			t.Fatalf("%+v needs no more of anything than %+v, and is worse", a, b)
		}
	})
}

// TestCompareAsDocumented: what the documentation of [Goal.Compare] says, in its order.
func TestCompareAsDocumented(t *testing.T) {
	cost := func(required, head int64, overhead float64, operators int, file int64) *Cost {
		return &Cost{Figures: rules.Figures{Required: required, Head: head}, Overhead: overhead, Operators: operators, FileBytes: file}
	}
	arena, head := &Goal{Budget: 100, MaxOverhead: -1}, &Goal{LeastHead: true, MaxOverhead: -1}
	least, some := &Goal{MaxOverhead: -1}, &Goal{Budget: 100, MaxOverhead: 0.05}
	for _, c := range []struct {
		name          string
		goal          *Goal
		better, worse *Cost
	}{
		{"the budget is met", arena, cost(100, 50, 0.9, 99, 99), cost(101, 1, 0, 1, 1)},
		{"closer to the budget", arena, cost(110, 50, 0.9, 99, 99), cost(111, 1, 0, 1, 1)},
		{"a step less work", arena, cost(100, 50, 0.019, 99, 99), cost(50, 1, 0.02, 1, 1)},
		{"a smaller arena for the same step of work", arena, cost(98, 50, 0.029, 99, 99), cost(99, 1, 0.02, 1, 1)},
		{"fewer operators", arena, cost(98, 50, 0, 9, 99), cost(98, 1, 0, 10, 1)},
		{"a smaller file", arena, cost(98, 50, 0, 9, 98), cost(98, 1, 0, 9, 99)},
		{"within the permitted overhead", some, cost(150, 50, 0.05, 9, 98), cost(98, 1, 0.06, 9, 99)},
		{"the smallest arena whatever the work", least, cost(97, 50, 0.5, 9, 98), cost(98, 1, 0, 9, 99)},
		{"the smallest head whatever the arena", head, cost(970, 1, 0.5, 9, 98), cost(98, 2, 0, 9, 99)},
	} {
		if c.goal.Compare(c.better, c.worse) >= 0 || c.goal.Compare(c.worse, c.better) <= 0 {
			t.Errorf("%s: %+v, %+v", c.name, c.better, c.worse)
		}
	}
}

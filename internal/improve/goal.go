package improve

import (
	"cmp"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
)

// Pin selects how much of a plan is fixed.
type Pin = pin.Mode

// Pins returns all values, the default first.
func Pins() []Pin { return []Pin{pin.Peak, pin.All} }

// Goal is the set of permitted changes to a model and the target runtime. The zero value
// requests the plan with the smallest head for the reference kernels.
type Goal struct {
	// Pin selects how much of a plan is fixed; empty is [pin.Peak].
	Pin Pin
	// Strategy is the name of a strategy of package alloc; empty and [alloc.Auto] try all.
	Strategy string
	// Alias is the level of permitted in-place outputs; empty means none.
	Alias rules.Alias
	// Device is the target; the zero value is [rules.DefaultDevice].
	Device rules.Device
	// Reorder also searches for an operator order with a smaller arena. IgnoreLiteRT includes
	// orders in which LiteRT's tensor arena grows or LiteRT computes wrong results.
	Reorder, IgnoreLiteRT bool
	// Toposort sorts operators that are in an invalid order.
	Toposort bool
	// Remove removes the plan and makes none.
	Remove bool
	// Force replaces or removes the plan of another tool, and overrides the refusals of the
	// rewriter that can be overridden.
	Force bool
}

// completed returns the goal with defaults filled in.
func (g Goal) completed() Goal {
	g.Pin = cmp.Or(g.Pin, pin.Peak)
	g.Alias = cmp.Or(g.Alias, rules.NoAlias)
	if g.Strategy == alloc.Auto {
		g.Strategy = "" // which tries more than auto: the head decides
	}
	g.Device = g.Device.OrDefault()
	return g
}

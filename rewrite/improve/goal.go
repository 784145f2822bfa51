package improve

import (
	"cmp"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
)

// A Pin is how much of a plan is fixed.
type Pin = pin.Mode

// Pins returns all there are, the default first.
func Pins() []Pin { return []Pin{pin.Peak, pin.All} }

// A Goal says what may be done to a model, and for which runtime. The zero value asks for
// the plan of the least head with the reference kernels.
type Goal struct {
	// Pin is how much of a plan is fixed; empty is [pin.Peak].
	Pin Pin
	// Strategy names one strategy of package alloc; empty, and [alloc.Auto], try them all.
	Strategy string
	// Alias is which outputs may take over an input's memory; empty means none do.
	Alias rules.Alias
	// Device is what the arena is counted for; the zero value is [rules.DefaultDevice].
	Device rules.Device
	// Reorder also looks for an order of the operators with a smaller arena. IgnoreLiteRT
	// takes those too in which LiteRT's tensor arena grows or LiteRT computes something else.
	Reorder, IgnoreLiteRT bool
	// Toposort puts operators into a valid order that are in none.
	Toposort bool
	// Remove takes the plan out, and makes none.
	Remove bool
	// Force replaces or loses the plan of another tool, and goes ahead where the rewriter
	// refuses and can be told to.
	Force bool
}

// completed returns the goal with what is left open filled in.
func (g Goal) completed() Goal {
	g.Pin = cmp.Or(g.Pin, pin.Peak)
	g.Alias = cmp.Or(g.Alias, rules.NoAlias)
	if g.Strategy == alloc.Auto {
		g.Strategy = "" // which tries more than auto does: what counts is the head
	}
	if g.Device.ABI == "" {
		g.Device = rules.DefaultDevice()
	}
	return g
}

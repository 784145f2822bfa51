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
// the plan of the least head, of a model whose kernels ask for no scratch.
type Goal struct {
	// Pin is how much of a plan is fixed; empty is [pin.Peak].
	Pin Pin
	// Strategy names one strategy of package alloc; empty, and [alloc.Auto], try them all.
	Strategy string
	// Alias is which outputs may take over an input's memory; empty means none do.
	Alias rules.Alias
	// Target is what the arena is counted for; the zero value is [rules.DefaultTarget].
	Target rules.Target
	// Scratch is what the kernels ask for in the model as it is, as [rules.KernelScratch]
	// says it: its operators take it along to their new places.
	Scratch []rules.Request
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
	if g.Target.ABI == "" {
		g.Target = rules.DefaultTarget()
	}
	return g
}

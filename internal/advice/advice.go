// Package advice decides what to do with a model for TensorFlow Lite Micro, from what is known of it.
package advice

// An Advice is what to do with a model.
type Advice int

// What can be done, the first that gains anything.
const (
	Keep    Advice = iota // nothing is known to gain anything
	Mend                  // the operators are in no valid order
	Leave                 // the runtime would not run it
	Replan                // write a plan into it
	Reorder               // put the operators into another order as well
	Cut                   // cut it into pieces
)

// Known is what is known of a model. Arenas are in bytes, and zero where they are not known.
type Known struct {
	// Runs says that the runtime runs the model, Disordered that its operators are in no valid
	// order.
	Runs, Disordered bool
	// AsIs is the arena of the model as it is. The others are those with the best plan, with
	// another order as well, and in pieces.
	AsIs, WithPlan, WithOrder, InPieces int64
}

// For returns what to do with a model.
func For(k Known) Advice {
	smaller := func(arena int64) bool { return arena > 0 && arena < k.AsIs }
	switch {
	case !k.Runs:
		return Leave
	case k.Disordered:
		return Mend
	case smaller(k.WithOrder):
		return Reorder
	case smaller(k.WithPlan):
		return Replan
	case smaller(k.InPieces):
		return Cut
	}
	return Keep
}

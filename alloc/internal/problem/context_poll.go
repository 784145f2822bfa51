package problem

import "context"

// A Pulse asks a context for its error once in a while: asking it at every step
// would cost more than many a step does.
type Pulse struct {
	// Context is what it asks.
	Context context.Context

	steps int
}

// Err returns the error of the context now and then, else nil.
func (p *Pulse) Err() error {
	if p.steps++; p.steps%256 != 0 {
		return nil
	}
	return p.Context.Err()
}

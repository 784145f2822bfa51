package export

import (
	"io"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/mip"
	"github.com/tflarena/tflarena/lifetime"
)

// writeLP writes the integer program of which the plan is one solution, in the LP form of
// CPLEX: the plan's total is what the arena need not pass. Package mip reads solutions back.
func writeLP(w io.Writer, p *Plan) error {
	if p.Places.Approach == alloc.Shared {
		return mip.WriteSharedLP(w, p.stated())
	}
	return mip.WriteLP(w, p.stated(), p.Apart, p.Places.Total)
}

// writeMPS is writeLP for the free MPS form.
func writeMPS(w io.Writer, p *Plan) error {
	if p.Places.Approach == alloc.Shared {
		return mip.WriteSharedMPS(w, p.stated())
	}
	return mip.WriteMPS(w, p.stated(), p.Apart, p.Places.Total)
}

func (p *Plan) stated() []lifetime.Record {
	if p.Stated != nil {
		return p.Stated
	}
	return p.Records
}

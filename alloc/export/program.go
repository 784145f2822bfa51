package export

import (
	"io"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/mip"
	"github.com/tflarena/tflarena/lifetime"
)

// writeLP writes the integer program in the LP format of CPLEX. The plan is one of its solutions, and
// the plan's total is the upper bound of the arena. Package mip reads solutions back.
func writeLP(w io.Writer, p *Plan) error {
	if p.Places.Approach == alloc.Shared {
		return mip.WriteSharedLP(w, p.stated())
	}
	return mip.WriteLP(w, p.stated(), p.Forbidden, p.Places.Total)
}

// writeMPS is writeLP for the free MPS format.
func writeMPS(w io.Writer, p *Plan) error {
	if p.Places.Approach == alloc.Shared {
		return mip.WriteSharedMPS(w, p.stated())
	}
	return mip.WriteMPS(w, p.stated(), p.Forbidden, p.Places.Total)
}

func (p *Plan) stated() []lifetime.Record {
	if p.Stated != nil {
		return p.Stated
	}
	return p.Records
}

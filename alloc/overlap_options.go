package alloc

import "github.com/tflarena/tflarena/lifetime"

// Permit returns options for planning records with optional overlaps and takeovers; the plan decides
// about each of them. Without takeovers the options have a [Bound].
func (o Options) Permit(records []lifetime.Record, overlaps []lifetime.Overlap, takeovers []lifetime.Takeover) Options {
	if len(overlaps)+len(takeovers) == 0 {
		return o
	}
	o.Forbidden = lifetime.Forbidden(records, overlaps, takeovers)
	if len(takeovers) == 0 {
		o.Bound = Bound{Bytes: lifetime.LeastBreadth(records, overlaps), Reason: "the bytes in use at one operator, less what it may write over"}
	}
	return o
}

package alloc

import "github.com/tflarena/tflarena/lifetime"

// Permit returns options by which records are planned with overlaps and takeovers between them,
// about each of which the plan decides. Without takeovers they have a [Bound].
func (o Options) Permit(records []lifetime.Record, overlaps []lifetime.Overlap, takeovers []lifetime.Takeover) Options {
	if len(overlaps)+len(takeovers) == 0 {
		return o
	}
	o.Apart = lifetime.Forbidden(records, overlaps, takeovers)
	if len(takeovers) == 0 {
		o.Bound = Bound{Bytes: lifetime.LeastBreadth(records, overlaps), Reason: "the bytes in use at one operator, less what it may write over"}
	}
	return o
}

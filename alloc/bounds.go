package alloc

import (
	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/lifetime"
)

// LowerBound returns a lower bound of all plans of the approach, in bytes.
//
// For offsets it is the largest operator breadth (Pisarchyk and Lee 2020, section 5.1), strengthened by
// alignments and by the ends of pinned records. A record in a gap counts with the bytes that it holds
// then; if gaps leave little, the size of the largest record is the stronger bound. For shared objects
// it is the sum of the positional maxima (section 4.1).
func LowerBound(a Approach, records []lifetime.Record) int64 {
	return lowerBound(a, problem.NonEmpty(records)).Bytes
}

// lowerBound takes no empty records: their alignments would count.
func lowerBound(a Approach, records Records) problem.Bound {
	if a == Shared {
		return problem.Bound{Bytes: lifetime.SharedBound(records), Reason: "the sum of the positional maxima"}
	}
	return problem.LowerBound(records)
}

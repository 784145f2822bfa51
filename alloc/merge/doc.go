// Package merge joins tensors that share memory into single records, which any strategy can
// plan.
//
// A [lifetime.Takeover] lets one record lie where another lies. [Merge] decides which
// takeovers happen and joins their records into groups. Each group becomes one record, with
// gaps where its members leave bytes free, and [Merged.Offsets] turns a plan of these into
// a plan of the old records. More takeovers do not always make a plan smaller, so [Ways]
// lists several choices to try, and [Bound] is a lower bound for all of them. [Merged.Overlaps]
// says which outputs may still lie over inputs when records are merged.
package merge

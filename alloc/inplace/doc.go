// Package inplace plans memory for records that may share it on purpose: outputs in the buffers of
// inputs.
//
// A [lifetime.Takeover] places one record in the bytes of another. [Merge] joins the records of chosen
// takeovers into groups. Each group is one record with gaps for the bytes that its members leave free,
// so that any strategy can plan it; [Merged.Offsets] turns such a plan into one of the old records.
// More takeovers do not always make a plan smaller: [TakeoverSets] lists choices, and [Bound] is a
// lower bound for all of them.
//
// [Choose] tries these ways under each [Freedom] for a short time, and returns the [Choice] with the
// smallest plan. A [lifetime.Overlap], an output over a part of an input, stays open: the plan decides
// about it.
//
// A [Chain] plans a large problem part by part. It is cut where a single tensor passes from one part, a
// [Link], to the next. If a link is still large, it is cut where two or three tensors pass, since a skip tensor
// may be alive all the time. Each link has its own choice of sharing, and its incoming and outgoing tensors
// lie at the ends of the arena, or next to each other. Two links are compatible if they agree on the
// places of the tensors that pass.
package inplace

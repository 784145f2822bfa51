// Package inplace plans memory for records that may share it on purpose: outputs in the buffers of inputs.
//
// A [lifetime.Takeover] lets one record lie where another lies. [Merge] joins the records of chosen
// takeovers into groups, each of which is one record with gaps where its members leave bytes free, so that any
// strategy can plan them; [Merged.Offsets] turns such a plan into one of the old records. More takeovers do not
// always make a plan smaller: [Ways] lists choices, and [Bound] is a lower bound for all of them.
//
// [Choose] tries these ways under each [Freedom] for a short time, and returns the [Choice] with the smallest plan.
// A [lifetime.Overlap], an output that lies over a part of an input, stays open: the plan decides about it.
//
// A [Chain] plans a large problem part by part. It is cut where a single tensor is handed on from one part, a
// [Link], to the next. Each link has its own choice of what shares memory, and the tensors that come in and go
// out lie at the ends of the arena, or next to each other. Two links agree as soon as they agree on the place of
// that one tensor.
package inplace

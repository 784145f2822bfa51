package rules

import (
	"cmp"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/tflite"
)

// A Request is one scratch buffer that a kernel requests in Prepare. The runtime places the
// buffer itself; it is alive while its operator runs.
type Request struct {
	Subgraph, Operator int
	// Bytes is the requested size, before rounding.
	Bytes int64
	// Persistent is additional persistent memory that the kernel requests, in bytes. Requests
	// of modelled kernels have none, because the arena counts it already.
	Persistent int64
}

// Requests returns the scratch that kernels request for a model, in order: subgraph by
// subgraph, operator by operator. A request may be for zero bytes. (The reference kernels are
// those of tflite-micro 90b983c.)
func (d Device) Requests(m *tflite.Model) []Request {
	if d.scratch != nil {
		return d.scratch(m)
	}
	var requests []Request
	kernels.Each(m, d.build(), func(k *kernels.Kernel) {
		k.Prepare(scratchOnly(func(bytes int64) {
			requests = append(requests, Request{Subgraph: k.Subgraph, Operator: k.Operator, Bytes: bytes})
		}))
	})
	return requests
}

// A SizeCall is a call of a kernel library's function that returns a scratch size.
type SizeCall = kernels.Call

// A SizeRequest is a scratch request and the library function that computes its size: nil if
// the runtime's own code computes Bytes.
type SizeRequest struct {
	Request
	Call *SizeCall
}

// SizeRequests returns the requests of the device's kernels for a model, with library functions
// instead of sizes. It includes calls whose request is skipped if the function returns 0.
func (d Device) SizeRequests(m *tflite.Model) []SizeRequest {
	var list []SizeRequest
	kernels.Each(m, d.build(), func(k *kernels.Kernel) {
		k.Prepare(callsOnly(func(bytes int64, call *SizeCall) {
			list = append(list, SizeRequest{Request{Subgraph: k.Subgraph, Operator: k.Operator, Bytes: bytes}, call})
		}))
	})
	return list
}

// callsOnly receives requests and the functions that compute their size.
type callsOnly func(bytes int64, call *SizeCall)

func (callsOnly) Temporary(*tflite.Tensor) {}
func (callsOnly) Reads(kernels.Part)       {}
func (callsOnly) Keep(_, _ int64)          {}
func (f callsOnly) Scratch(bytes int64)    { f(bytes, nil) }
func (f callsOnly) Call(c kernels.Call)    { f(0, &c) }

// MovedScratch returns the requests of a model with reordered operators, in the order in which
// the runtime then makes them. orders[s][i] is the old index of the operator of subgraph s that
// now runs i-th; nil leaves a subgraph unchanged.
func MovedScratch(requests []Request, orders [][]int) []Request {
	moved := slices.Clone(requests)
	for s, order := range orders {
		now := map[int]int{}
		for i, old := range order {
			now[old] = i
		}
		for k := range moved {
			if place, ok := now[requests[k].Operator]; ok && requests[k].Subgraph == s {
				moved[k].Operator = place
			}
		}
	}
	slices.SortStableFunc(moved, func(a, b Request) int {
		return cmp.Or(cmp.Compare(a.Subgraph, b.Subgraph), cmp.Compare(a.Operator, b.Operator))
	})
	return moved
}

// scratchOnly receives only scratch requests.
type scratchOnly func(bytes int64)

func (scratchOnly) Temporary(*tflite.Tensor) {}
func (scratchOnly) Reads(kernels.Part)       {}
func (scratchOnly) Keep(_, _ int64)          {}
func (f scratchOnly) Scratch(bytes int64)    { f(bytes) }

// ScratchID returns the record ID of a request, given by its index in the list passed to
// [View.WithScratch].
func ScratchID(request int) string { return fmt.Sprintf("scratch:%d", request) }

// WithScratch returns the view's records followed by one record per request, as the runtime's
// planner sees them. A scratch buffer is alive while its operator runs, including everything
// that runs inside the operator, and its size is rounded like a tensor's. Requests for zero
// bytes, and requests of operators that never run, get no record.
func (v *View) WithScratch(requests []Request) []lifetime.Record {
	type place struct{ subgraph, operator int }
	span := map[place][2]int{}
	for position, step := range v.Usage.Steps {
		at := place{step.Subgraph, step.Operator}
		first, seen := span[at]
		if !seen {
			first[0] = position
		}
		span[at] = [2]int{first[0], position}
	}
	for s := range v.Graph.Subgraphs {
		for _, op := range v.Graph.Subgraphs[s].Operators {
			at := place{s, op.Index}
			if alive, runs := span[at]; runs {
				span[at] = [2]int{alive[0], alive[1] + v.inside(op.Calls)}
			}
		}
	}
	records := slices.Clone(v.Usage.Records)
	for i, r := range requests {
		alive, runs := span[place{r.Subgraph, r.Operator}]
		if r.Bytes <= 0 || !runs {
			continue
		}
		records = append(records, lifetime.Record{
			ID:    ScratchID(i),
			Name:  fmt.Sprintf("scratch of operator %d of subgraph %d", r.Operator, r.Subgraph),
			First: alive[0], Last: alive[1],
			Size: integer.RoundUp(r.Bytes, max(v.Rules.RoundSizes, 1)), Align: v.Rules.Align,
		})
	}
	return records
}

// RequestsUnseen reports whether an operator of a subgraph that the runtime never enters
// requests scratch. TensorFlow Lite Micro crashes then.
func (v *View) RequestsUnseen(requests []Request) bool {
	runs := map[int]bool{}
	for _, step := range v.Usage.Steps {
		runs[step.Subgraph] = true
	}
	return slices.ContainsFunc(requests, func(r Request) bool { return !runs[r.Subgraph] })
}

// Extra returns the scratch of each operator in bytes, rounded as in the runtime: element
// [s][i] belongs to the operator at index i in the Operators of subgraph s.
func (v *View) Extra(requests []Request) [][]int64 {
	extra := make([][]int64, len(v.Graph.Subgraphs))
	place := make([]map[int]int, len(v.Graph.Subgraphs))
	for s := range v.Graph.Subgraphs {
		operators := v.Graph.Subgraphs[s].Operators
		extra[s], place[s] = make([]int64, len(operators)), map[int]int{}
		for i := range operators {
			place[s][operators[i].Index] = i
		}
	}
	for _, r := range requests {
		if r.Subgraph < len(place) {
			if i, ok := place[r.Subgraph][r.Operator]; ok && r.Bytes > 0 {
				extra[r.Subgraph][i] += integer.RoundUp(r.Bytes, max(v.Rules.RoundSizes, 1))
			}
		}
	}
	return extra
}

package results

import (
	"fmt"

	"github.com/tflarena/tflarena/alloc/replay"
)

// A TraceDocument is the JSON output of "replay".
type TraceDocument struct {
	SchemaVersion int    `json:"schema_version"`
	Command       string `json:"command"`
	OK            bool   `json:"ok"`
	// Result of each input.
	Traces []any `json:"traces"`
}

// NewTraceDocument returns a document.
func NewTraceDocument(command string, ok bool, traces []any) TraceDocument {
	return TraceDocument{SchemaVersion: SchemaVersion, Command: command, OK: ok, Traces: present(traces)}
}

// A Replay is the output of "replay" for a trace.
type Replay struct {
	Input string `json:"input"`
	// Format of the file, for people.
	Form string `json:"form"`
	// Unit in bytes to which sizes are rounded up and offsets are aligned.
	Granule int64 `json:"granule_bytes"`
	// Result for each device.
	Devices []ReplayDevice `json:"devices"`
	// Command line that plans one iteration, if the trace repeats, or shows the blocks in a browser; empty without one.
	Next     string `json:"next"`
	Notes    []Note `json:"notes"`
	Warnings []Note `json:"warnings"`
}

// A ReplayDevice is one device of a trace. Data missing in the trace is omitted.
type ReplayDevice struct {
	// Number of the device.
	Device int `json:"device"`
	// Number of events in the device's trace.
	Events int `json:"event_count"`
	// Number of blocks.
	Blocks int `json:"block_count"`
	// Most bytes reserved from the device, as in the trace. Absent if it does not contain reservations.
	ReservedBytes *int64 `json:"reserved_bytes,omitempty"`
	// Bytes reserved at the end of the trace. Absent if the trace does not contain reservations.
	ReservedAtEnd *int64 `json:"reserved_at_end_bytes,omitempty"`
	// Largest sum of the sizes of blocks in use at the same time, each rounded up, in bytes.
	AllocatedPeakBytes int64 `json:"allocated_peak_bytes"`
	// Largest sum of the requested sizes at the same time, in bytes.
	RequestedPeakBytes int64 `json:"requested_peak_bytes"`
	// 1 - allocated / reserved at the reserved peak, with the most that was allocated while that much was reserved.
	// Absent if the trace does not contain reservations.
	Fragmentation   *float64 `json:"fragmentation,omitempty"`
	LowerBoundBytes int64    `json:"lower_bound_bytes"`
	// Size of the plan in bytes: the sum of its parts.
	TotalBytes int64 `json:"total_bytes"`
	// Whether no plan is smaller than this one.
	ProvenOptimal bool   `json:"proven_optimal"`
	Proof         string `json:"proof"`
	Interrupted   bool   `json:"interrupted"`
	ElapsedNS     int64  `json:"elapsed_ns"`
	// Number of blocks in use for the whole trace.
	ResidentBlocks int `json:"resident_block_count"`
	// Bytes requested for the resident blocks.
	ResidentBytes int64 `json:"resident_bytes"`
	// Number of blocks requested before the trace begins and released in it.
	EarlyBlocks int `json:"early_block_count"`
	// Bytes requested for the early blocks.
	EarlyBytes int64 `json:"early_bytes"`
	// Number of blocks requested between an interrupt and the resume after it. They are not planned.
	ColdBlocks int `json:"cold_block_count"`
	// Bytes of the segments without a block in use at the reserved peak.
	EmptyBytes int64 `json:"empty_segment_bytes"`
	// Groups of streams and pools that share no memory with each other. The total is the sum of their totals.
	Parts []ReplayPart `json:"parts"`
	// Reservations of other allocators for the same requests.
	Simulated []Simulated `json:"simulated"`
	// Functions that hold memory at the reserved peak, the most wasteful first.
	Holders []Holder `json:"holders"`
	// Iterations of the trace, and one plan for them. Absent unless requested, and if nothing repeats.
	Iterations *ReplayCycles `json:"iterations,omitempty"`
}

// A ReplayPart is the memory that blocks of some streams and pools share.
type ReplayPart struct {
	// Streams of the part, by their numbers, which may be negative.
	Streams []int64 `json:"streams"`
	// Private pools of the part, in addition to its streams; empty for the pool that all share.
	Pools           []string `json:"pools"`
	Blocks          int      `json:"block_count"`
	LowerBoundBytes int64    `json:"lower_bound_bytes"`
	// Size of the part's plan in bytes: the end of its highest block.
	TotalBytes int64 `json:"total_bytes"`
	// Whether no plan of the part is smaller.
	ProvenOptimal bool   `json:"proven_optimal"`
	Proof         string `json:"proof"`
	Winner        string `json:"winner"`
}

// Simulated is the memory that another allocator would have reserved for the same requests. Plans is
// set for the allocator that makes plans.
type Simulated struct {
	// Allocator whose rules are simulated.
	Allocator Allocator `json:"allocator"`
	// Most bytes reserved from the device, as simulated.
	ReservedBytes int64 `json:"reserved_bytes"`
	// Number of plans made. Absent for allocators that make none.
	Plans *int `json:"plan_count,omitempty"`
}

// A Holder is the memory held by a function at the reserved peak.
type Holder struct {
	// Innermost function of the user's own code that requested the blocks; empty if no stack was recorded.
	Function string `json:"function"`
	// File of the function; empty if unknown.
	File   string `json:"file"`
	Blocks int    `json:"block_count"`
	// Bytes of the function's blocks in use, each rounded up.
	AllocatedBytes int64 `json:"allocated_bytes"`
	// Bytes reserved for the function's blocks but unused: rounding of their sizes, and their share of the free
	// bytes of their segments.
	WastedBytes int64 `json:"wasted_bytes"`
}

// ReplayCycles are the iterations of a trace, and one plan for all of them.
type ReplayCycles struct {
	// Method that found the iterations.
	Source string `json:"found_by"`
	// Index of the planned iteration.
	Reference int `json:"reference"`
	// Number of iterations for which the plan is valid.
	Fitting int `json:"fitting_count"`
	// Size in bytes of the plan for the blocks requested and released within an iteration.
	HotBytes int64 `json:"hot_total_bytes"`
	// Lower bound in bytes on any plan for the blocks released within an iteration.
	HotBound int64 `json:"hot_lower_bound_bytes"`
	// Size in bytes of the plan for all other blocks, from the first iteration to the last.
	KeptBytes int64 `json:"kept_total_bytes"`
	// Whether no plan of the hot blocks is smaller, and none of all others.
	ProvenOptimal bool `json:"proven_optimal"`
	// Iterations in their order.
	List []ReplayCycle `json:"list"`
}

// A ReplayCycle is an iteration: events [FirstEvent, EndEvent).
type ReplayCycle struct {
	// First event of the iteration.
	FirstEvent int `json:"first_event"`
	// Event after the last one of the iteration.
	EndEvent int `json:"end_event"`
	// Number of blocks that the iteration requests.
	Requests int `json:"request_count"`
	// Number of requested blocks that are released within the iteration and planned.
	Hot int `json:"hot_count"`
	// Largest sum of the sizes of hot blocks in use at the same time, in bytes.
	PeakBytes int64 `json:"hot_peak_bytes"`
	// Whether the plan is valid for the iteration.
	Fits bool `json:"fits"`
	// Why the plan is invalid for the iteration, for people; empty if it is valid.
	Reason string `json:"reason"`
}

// NewReplayDevice returns a device as a result.
func NewReplayDevice(p *replay.Profile, f *replay.Figures, plan *replay.Plan) ReplayDevice {
	d := ReplayDevice{
		Device: p.Device.Index, Events: len(p.Device.Events), Blocks: len(p.Lives),
		AllocatedPeakBytes: f.Allocated, RequestedPeakBytes: f.Requested,
		LowerBoundBytes: plan.LowerBound, TotalBytes: plan.Total, ProvenOptimal: plan.Optimal, Interrupted: plan.Interrupted,
		Parts: []ReplayPart{}, Simulated: []Simulated{}, Holders: []Holder{},
	}
	if f.HasReserved {
		fragmentation := f.Fragmentation()
		d.ReservedBytes, d.ReservedAtEnd, d.Fragmentation = &f.Reserved, &f.ReservedEnd, &fragmentation
	}
	d.ResidentBlocks, d.ResidentBytes, d.EarlyBlocks, d.EarlyBytes = p.Residents()
	for i := range p.Lives {
		if p.Lives[i].Cold {
			d.ColdBlocks++
		}
	}
	for i := range plan.Parts {
		d.Parts = append(d.Parts, newReplayPart(&plan.Parts[i]))
	}
	d.Proof = d.proof()
	return d
}

func newReplayPart(p *replay.Part) ReplayPart {
	part := ReplayPart{
		Streams: []int64{}, Pools: []string{}, Blocks: len(p.Lives), LowerBoundBytes: p.LowerBound, TotalBytes: p.Total,
		ProvenOptimal: p.Optimal, Proof: p.Proof.String(), Winner: p.Winner,
	}
	for _, lane := range p.Lanes {
		part.Streams, part.Pools = append(part.Streams, lane.Stream), append(part.Pools, lane.Pool)
	}
	return part
}

// proof is the reason why the sum of the parts is optimal.
func (d *ReplayDevice) proof() string {
	switch {
	case !d.ProvenOptimal:
		return ""
	case len(d.Parts) == 1:
		return d.Parts[0].Proof
	}
	return fmt.Sprintf("each of %d parts, which share nothing, is proven to be the smallest", len(d.Parts))
}

// Add adds the holders of memory; empty is the reserved bytes that hold nothing.
func (d *ReplayDevice) Add(holders []replay.Holder, empty int64) {
	d.EmptyBytes = empty
	for _, h := range holders {
		d.Holders = append(d.Holders, Holder{Function: h.Function, File: h.File, Blocks: h.Blocks, AllocatedBytes: h.Allocated, WastedBytes: h.Wasted})
	}
}

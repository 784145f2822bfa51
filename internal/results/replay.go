package results

import (
	"fmt"

	"github.com/tflarena/tflarena/alloc/replay"
)

// A TraceDocument is what the command "replay" prints as JSON.
type TraceDocument struct {
	SchemaVersion int    `json:"schema_version"`
	Command       string `json:"command"`
	OK            bool   `json:"ok"`
	// Traces has a [Replay] or a [Failed] for each input.
	Traces []any `json:"traces"`
}

// NewTraceDocument returns a document.
func NewTraceDocument(command string, ok bool, traces []any) TraceDocument {
	return TraceDocument{SchemaVersion: SchemaVersion, Command: command, OK: ok, Traces: present(traces)}
}

// A Replay is what the command "replay" found of a trace.
type Replay struct {
	Input string `json:"input"`
	// Form says what the file is, for people.
	Form    string         `json:"form"`
	Granule int64          `json:"granule_bytes"`
	Devices []ReplayDevice `json:"devices"`
	Notes   []Note         `json:"notes"`
	// Warnings say what may be wrong with the trace.
	Warnings []Note `json:"warnings"`
}

// A ReplayDevice is one device of a trace. What the trace does not tell is left out.
type ReplayDevice struct {
	Device             int      `json:"device"`
	Events             int      `json:"event_count"`
	Blocks             int      `json:"block_count"`
	ReservedBytes      *int64   `json:"reserved_bytes,omitempty"`
	ReservedAtEnd      *int64   `json:"reserved_at_end_bytes,omitempty"`
	AllocatedPeakBytes int64    `json:"allocated_peak_bytes"`
	RequestedPeakBytes int64    `json:"requested_peak_bytes"`
	Fragmentation      *float64 `json:"fragmentation,omitempty"`
	LowerBoundBytes    int64    `json:"lower_bound_bytes"`
	TotalBytes         int64    `json:"total_bytes"`
	ProvenOptimal      bool     `json:"proven_optimal"`
	Proof              string   `json:"proof"`
	Interrupted        bool     `json:"interrupted"`
	ElapsedNS          int64    `json:"elapsed_ns"`
	// Resident blocks were there for the whole trace, early ones only at its beginning, cold
	// ones were requested while the trace was interrupted, and are not planned.
	ResidentBlocks int   `json:"resident_block_count"`
	ResidentBytes  int64 `json:"resident_bytes"`
	EarlyBlocks    int   `json:"early_block_count"`
	EarlyBytes     int64 `json:"early_bytes"`
	ColdBlocks     int   `json:"cold_block_count"`
	// EmptyBytes are those of segments in which nothing was in use at the reserved peak.
	EmptyBytes int64         `json:"empty_segment_bytes"`
	Parts      []ReplayPart  `json:"parts"`
	Simulated  []Simulated   `json:"simulated"`
	Holders    []Holder      `json:"holders"`
	Iterations *ReplayCycles `json:"iterations,omitempty"`
}

// A ReplayPart is the memory that blocks of some streams and pools share.
type ReplayPart struct {
	Streams         []int64  `json:"streams"`
	Pools           []string `json:"pools"`
	Blocks          int      `json:"block_count"`
	LowerBoundBytes int64    `json:"lower_bound_bytes"`
	TotalBytes      int64    `json:"total_bytes"`
	ProvenOptimal   bool     `json:"proven_optimal"`
	Proof           string   `json:"proof"`
	Winner          string   `json:"winner"`
}

// Simulated is what another allocator would have reserved for the same requests. Plans is there
// for the one that makes plans.
type Simulated struct {
	Allocator     string `json:"allocator"`
	ReservedBytes int64  `json:"reserved_bytes"`
	Plans         *int   `json:"plan_count,omitempty"`
}

// A Holder is what a function holds at the moment of the reserved peak.
type Holder struct {
	Function       string `json:"function"`
	File           string `json:"file"`
	Blocks         int    `json:"block_count"`
	AllocatedBytes int64  `json:"allocated_bytes"`
	WastedBytes    int64  `json:"wasted_bytes"`
}

// ReplayCycles are the iterations of a trace, and one plan for all of them.
type ReplayCycles struct {
	// Source says how they were found.
	Source string `json:"found_by"`
	// Reference is the index of the one that was planned; Fitting counts those for which its
	// plan is good.
	Reference int `json:"reference"`
	Fitting   int `json:"fitting_count"`
	// HotBytes is the plan for what is released within an iteration, KeptBytes that for
	// everything else.
	HotBytes      int64         `json:"hot_total_bytes"`
	HotBound      int64         `json:"hot_lower_bound_bytes"`
	KeptBytes     int64         `json:"kept_total_bytes"`
	ProvenOptimal bool          `json:"proven_optimal"`
	List          []ReplayCycle `json:"list"`
}

// A ReplayCycle is an iteration: events [FirstEvent, EndEvent).
type ReplayCycle struct {
	FirstEvent int    `json:"first_event"`
	EndEvent   int    `json:"end_event"`
	Requests   int    `json:"request_count"`
	Hot        int    `json:"hot_count"`
	PeakBytes  int64  `json:"hot_peak_bytes"`
	Fits       bool   `json:"fits"`
	Reason     string `json:"reason"`
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
		ProvenOptimal: p.Optimal, Proof: p.Proof, Winner: p.Winner,
	}
	for _, lane := range p.Lanes {
		part.Streams, part.Pools = append(part.Streams, lane.Stream), append(part.Pools, lane.Pool)
	}
	return part
}

// proof says why the sum of the parts is optimal.
func (d *ReplayDevice) proof() string {
	switch {
	case !d.ProvenOptimal:
		return ""
	case len(d.Parts) == 1:
		return d.Parts[0].Proof
	}
	return fmt.Sprintf("each of %d parts, which share nothing, is proven to be the smallest", len(d.Parts))
}

// Add adds who holds memory; empty is what is reserved and holds nothing.
func (d *ReplayDevice) Add(holders []replay.Holder, empty int64) {
	d.EmptyBytes = empty
	for _, h := range holders {
		d.Holders = append(d.Holders, Holder{Function: h.Function, File: h.File, Blocks: h.Blocks, AllocatedBytes: h.Allocated, WastedBytes: h.Wasted})
	}
}

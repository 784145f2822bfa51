package results

import (
	"strconv"
	"time"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/lifetime"
)

// A Stream is the output of "stream" for one budget. Times are in milliseconds, steps inclusive.
type Stream struct {
	Input string `json:"input"`
	// File with the times of the layers, as on the command line; empty if times are estimated.
	Times string `json:"times"`
	// Budget in bytes: the one given, or the one found for a latency.
	BudgetBytes int64 `json:"budget_bytes"`
	// Whether there is a plan. Without one, the fields about it are absent.
	Feasible bool `json:"feasible"`
	// Smallest budget that has a plan, in bytes.
	LeastBudgetBytes int64 `json:"least_budget_bytes"`
	// Whether no smaller budget has a plan.
	LeastBudgetProven bool `json:"least_budget_proven"`

	// Requested strategy. Absent if not feasible.
	Strategy string `json:"strategy,omitempty"`
	// Strategy of the plan. Absent if not feasible.
	Winner string `json:"winner,omitempty"`
	// Time of a run that starts with the resident weights in memory, in milliseconds. Absent if not feasible.
	LatencyMS float64 `json:"latency_ms,omitempty"`
	// Time of the first run in milliseconds, including the load of the resident weights before it. Absent if not
	// feasible.
	FirstLatencyMS float64 `json:"first_latency_ms,omitempty"`
	// Time of a run in milliseconds if layers and segments are cut for this budget alone. Absent if not feasible, and with one
	// budget.
	OwnLatencyMS float64 `json:"own_latency_ms,omitempty"`
	// Lower bound in milliseconds on the time of a run within this budget. Absent if not feasible.
	LowerBoundMS float64 `json:"lower_bound_ms,omitempty"`
	// Whether no plan is faster than this one. Absent if not.
	ProvenOptimal bool `json:"proven_optimal,omitzero"`
	// Time for which the processor waits for weights in a run, in milliseconds. Absent if 0, and if not feasible.
	StallMS float64 `json:"stall_ms,omitempty"`
	// End of the highest tensor, in bytes. Absent if not feasible.
	PeakBytes int64 `json:"peak_bytes,omitempty"`
	// Lower bound in bytes on the end of the highest tensor of any plan that is as fast. Absent if 0, for segments, and if not
	// feasible.
	PeakBoundBytes int64 `json:"peak_bound_bytes,omitempty"`
	// Bytes of weights that a run reads. Absent if not feasible.
	ReadBytes *int64 `json:"read_bytes,omitempty"`
	// Lower bound in bytes on what a run of any plan within this budget reads. Absent if 0, for segments, and if not feasible.
	ReadBoundBytes int64 `json:"read_bound_bytes,omitempty"`
	// Size of all resident weights, in bytes. Absent if 0, and if not feasible.
	ResidentBytes int64 `json:"resident_bytes,omitempty"`
	// Size of all weights, in bytes. Absent if not feasible.
	WeightBytes int64 `json:"weight_bytes,omitempty"`
	// Requested latency in milliseconds. Absent without one.
	LatencyTargetMS float64 `json:"latency_target_ms,omitempty"`
	// Lower bound in bytes on the budget of any plan with the requested latency. Absent without one.
	LeastForLatencyBytes int64 `json:"least_for_latency_bytes,omitempty"`
	// Number of files that the model was cut into; each is a layer. Absent without `--segments`.
	Segments int `json:"segment_files,omitempty"`
	// Manifest of the segments, which `docs/schema/segments.json` describes. Absent without `--segments`.
	Manifest string `json:"manifest,omitempty"`
	// Layers whose weights are all resident, in ascending order.
	Resident []int `json:"resident"`
	// Start of the load of each layer that has one, in milliseconds, by the number of the layer. Absent if not
	// feasible.
	StartMS map[string]float64 `json:"start_ms,omitzero"`
	// Schedule of each layer.
	Layers     []StreamLayer     `json:"layers"`
	Placements []StreamPlacement `json:"placements"`

	// Whether the time limit passed, or the user interrupted, before everything was tried. Absent if not.
	Interrupted bool `json:"interrupted,omitzero"`
	// Number of choices that the search examined. Absent if 0.
	Nodes int64 `json:"search_nodes,omitempty"`
	// Planning time in nanoseconds. Absent if not feasible.
	ElapsedNS int64 `json:"elapsed_ns,omitempty"`
	// Command line for the least budget; empty if there is a plan.
	Next     string `json:"next"`
	Notes    []Note `json:"notes"`
	Warnings []Note `json:"warnings"`

	net  *network.Network
	plan *stream.Plan
}

// A StreamLayer is the times at which a layer loads and computes. Its load may begin after the layer
// WaitsFor has computed.
type StreamLayer struct {
	// Number of the layer; 0 is the input.
	Layer int `json:"layer"`
	// Layer after whose computation the load may begin; 0 is the start of the run.
	WaitsFor int `json:"waits_for"`
	// Bytes that the layer loads in a run.
	LoadBytes int64 `json:"load_bytes"`
	// Time at which the load begins, in milliseconds from the start of the run.
	LoadBeginMS float64 `json:"load_begin_ms"`
	// Time at which the load ends, in milliseconds from the start of the run.
	LoadEndMS float64 `json:"load_end_ms"`
	// Time at which computing begins, in milliseconds from the start of the run.
	ComputeBeginMS float64 `json:"compute_begin_ms"`
	// Time at which computing ends, in milliseconds from the start of the run.
	ComputeEndMS float64 `json:"compute_end_ms"`
}

// A StreamPlacement is the place of a tensor, and the steps that hold it.
type StreamPlacement struct {
	// Purpose of the tensor.
	Type string `json:"type"`
	// Number of the tensor among those of its type, from 0.
	Index int `json:"index"`
	// Start of the tensor, in bytes from the start of the memory.
	OffsetBytes int64 `json:"offset_bytes"`
	// Size of the tensor in bytes.
	SizeBytes int64 `json:"size_bytes"`
	// First step in which the tensor holds memory, inclusive. Step i lasts from the end of compute i-1 to the end
	// of compute i.
	FirstStep int `json:"first_step"`
	// Last step in which the tensor holds memory, inclusive.
	LastStep int `json:"last_step"`
	// Whether the tensor holds memory at all times, across runs.
	IsResident bool `json:"is_resident"`
}

// role returns the role of the bytes in a memory map.
func (p *StreamPlacement) role() lifetime.Role {
	if p.IsResident {
		return lifetime.RoleResident
	}
	return lifetime.Role(p.Type)
}

// NewStream returns a plan as a result. Without a plan it has only the least budget.
func NewStream(input, times string, net *network.Network, budget int64, least *stream.LeastBudget, plan *stream.Plan) *Stream {
	r := &Stream{
		Input: input, Times: times, BudgetBytes: budget, LeastBudgetBytes: least.Bytes, LeastBudgetProven: least.Optimal,
		Resident: []int{}, Layers: []StreamLayer{}, Placements: []StreamPlacement{}, Notes: []Note{}, Warnings: []Note{}, net: net, plan: plan,
	}
	if plan == nil {
		return r
	}
	r.Feasible, r.Strategy, r.Winner = true, plan.Strategy, plan.Winner
	r.LatencyMS, r.FirstLatencyMS, r.LowerBoundMS = milliseconds(plan.Latency), milliseconds(plan.First), milliseconds(plan.LowerBound)
	r.ProvenOptimal, r.StallMS, r.PeakBytes = plan.Optimal, milliseconds(plan.Timeline.Stall()), plan.Peak
	r.WeightBytes, r.ReadBytes, r.ReadBoundBytes = net.WeightBytes(), &plan.Read, plan.ReadBound
	r.ResidentBytes = r.WeightBytes - plan.Read
	r.Interrupted, r.Nodes, r.ElapsedNS = plan.Interrupted, plan.Nodes, plan.Elapsed.Nanoseconds()
	for _, note := range plan.Notes {
		r.Notes = append(r.Notes, Note{Kind: NoteMended, Text: note})
	}
	r.layers()
	r.placements()
	return r
}

// AskedFor records a requested latency, and a number of bytes that is known to be too small for it.
func (r *Stream) AskedFor(latency time.Duration, bytes int64) {
	r.LatencyTargetMS, r.LeastForLatencyBytes = milliseconds(latency), bytes
}

// ComparedWith records the latency of a plan for this budget alone.
func (r *Stream) ComparedWith(own time.Duration) { r.OwnLatencyMS = milliseconds(own) }

// milliseconds returns a duration in milliseconds, exact to the nanosecond.
func milliseconds(d time.Duration) float64 { return float64(d) / 1e6 }

// layers sets the data of each layer.
func (r *Stream) layers() {
	loads := make([]int64, len(r.net.Layers))
	all := make([]int64, len(r.net.Layers))
	for i, t := range r.net.Tensors {
		if t.Kind != network.Weight {
			continue
		}
		all[t.First] += t.Size
		if !r.plan.Resident[i] {
			loads[t.First] += t.Size
		}
	}
	r.Resident, r.Layers, r.StartMS = []int{}, []StreamLayer{}, map[string]float64{}
	for i := range r.net.Layers {
		load, compute := r.plan.Timeline.Load[i], r.plan.Timeline.Compute[i]
		if all[i] > 0 && loads[i] == 0 {
			r.Resident = append(r.Resident, i)
		}
		if loads[i] > 0 {
			r.StartMS[strconv.Itoa(i)] = milliseconds(load.Begin)
		}
		r.Layers = append(r.Layers, StreamLayer{
			Layer: i, WaitsFor: r.plan.Waits[i], LoadBytes: loads[i],
			LoadBeginMS: milliseconds(load.Begin), LoadEndMS: milliseconds(load.End),
			ComputeBeginMS: milliseconds(compute.Begin), ComputeEndMS: milliseconds(compute.End),
		})
	}
}

func (r *Stream) placements() {
	var count [3]int
	r.Placements = []StreamPlacement{}
	for i, t := range r.net.Tensors {
		p := StreamPlacement{
			Type: t.Kind.String(), Index: count[t.Kind], OffsetBytes: r.plan.Offsets[i], SizeBytes: t.Size,
			FirstStep: r.plan.Start[i], LastStep: t.Last, IsResident: r.plan.Resident[i],
		}
		if p.IsResident {
			p.FirstStep, p.LastStep = 0, len(r.net.Layers)-1
		}
		count[t.Kind]++
		r.Placements = append(r.Placements, p)
	}
}

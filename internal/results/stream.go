package results

import (
	"strconv"
	"time"

	"github.com/tflarena/tflarena/alloc/stream"
)

// A Stream is what the command "stream" prints of one budget. Times are in milliseconds, steps
// inclusive.
type Stream struct {
	Input string `json:"input"`
	// Times is the file with the times of the layers, "" for a model.
	Times string `json:"times"`
	// BudgetBytes is the budget asked for, or found for a latency.
	BudgetBytes int64 `json:"budget_bytes"`
	// Feasible says whether there is a plan. Without one there are only the fields up to
	// LeastBudgetProven.
	Feasible          bool  `json:"feasible"`
	LeastBudgetBytes  int64 `json:"least_budget_bytes"`
	LeastBudgetProven bool  `json:"least_budget_proven"`

	Strategy string `json:"strategy,omitempty"`
	Winner   string `json:"winner,omitempty"`
	// The run begins with the resident weights in memory; the first one loads them before.
	LatencyMS      float64 `json:"latency_ms,omitempty"`
	FirstLatencyMS float64 `json:"first_latency_ms,omitempty"`
	LowerBoundMS   float64 `json:"lower_bound_ms,omitempty"`
	ProvenOptimal  bool    `json:"proven_optimal,omitzero"`
	// StallMS is how long the processor waits for weights.
	StallMS       float64 `json:"stall_ms,omitempty"`
	PeakBytes     int64   `json:"peak_bytes,omitempty"`
	ResidentBytes int64   `json:"resident_bytes,omitempty"`
	WeightBytes   int64   `json:"weight_bytes,omitempty"`
	// LatencyTargetMS and LeastForLatencyBytes are there where a latency was asked for: no budget
	// below the second one has a plan of it.
	LatencyTargetMS      float64 `json:"latency_target_ms,omitempty"`
	LeastForLatencyBytes int64   `json:"least_for_latency_bytes,omitempty"`
	// Segments is the number of files that the model was cut into, which are the layers then, and Manifest the
	// file that says how they run.
	Segments int    `json:"segment_files,omitempty"`
	Manifest string `json:"manifest,omitempty"`
	// Resident lists the layers whose weights are all resident.
	Resident []int `json:"resident"`
	// StartMS says when each layer that loads begins to, by the number of the layer.
	StartMS    map[string]float64 `json:"start_ms,omitzero"`
	Layers     []StreamLayer      `json:"layers"`
	Placements []StreamPlacement  `json:"placements"`

	Interrupted bool   `json:"interrupted,omitzero"`
	Nodes       int64  `json:"search_nodes,omitempty"`
	ElapsedNS   int64  `json:"elapsed_ns,omitempty"`
	Notes       []Note `json:"notes"`
	Warnings    []Note `json:"warnings"`

	net  *stream.Network
	plan *stream.Plan
}

// A StreamLayer says when a layer loads and computes. WaitsFor is the layer after whose computing
// its load may begin.
type StreamLayer struct {
	Layer          int     `json:"layer"`
	WaitsFor       int     `json:"waits_for"`
	LoadBytes      int64   `json:"load_bytes"`
	LoadBeginMS    float64 `json:"load_begin_ms"`
	LoadEndMS      float64 `json:"load_end_ms"`
	ComputeBeginMS float64 `json:"compute_begin_ms"`
	ComputeEndMS   float64 `json:"compute_end_ms"`
}

// A StreamPlacement is where a tensor lies, and the steps in which it holds memory.
type StreamPlacement struct {
	Type string `json:"type"`
	// Index counts the tensors of a type in their order.
	Index       int   `json:"index"`
	OffsetBytes int64 `json:"offset_bytes"`
	SizeBytes   int64 `json:"size_bytes"`
	FirstStep   int   `json:"first_step"`
	LastStep    int   `json:"last_step"`
	// IsResident says that the tensor holds memory at all times.
	IsResident bool `json:"is_resident"`
}

// NewStream returns what was found as a result. Without a plan it has the least budget alone.
func NewStream(input, times string, net *stream.Network, budget int64, least *stream.LeastBudget, plan *stream.Plan) *Stream {
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
	r.Interrupted, r.Nodes, r.ElapsedNS = plan.Interrupted, plan.Nodes, plan.Elapsed.Nanoseconds()
	for _, note := range plan.Notes {
		r.Notes = append(r.Notes, Note{Kind: NoteMended, Text: note})
	}
	r.layers()
	r.placements()
	return r
}

// AskedFor says that a latency was asked for, and how many bytes cannot be enough for it.
func (r *Stream) AskedFor(latency time.Duration, bytes int64) {
	r.LatencyTargetMS, r.LeastForLatencyBytes = milliseconds(latency), bytes
}

// milliseconds returns a duration in milliseconds, exact to the nanosecond.
func milliseconds(d time.Duration) float64 { return float64(d) / 1e6 }

// layers fills in what is known of each layer.
func (r *Stream) layers() {
	loads := make([]int64, len(r.net.Layers))
	all := make([]int64, len(r.net.Layers))
	for i, t := range r.net.Tensors {
		if t.Kind != stream.Weight {
			continue
		}
		all[t.First] += t.Size
		if r.plan.Resident[i] {
			r.ResidentBytes += t.Size
		} else {
			loads[t.First] += t.Size
		}
	}
	r.Resident, r.Layers, r.StartMS = []int{}, []StreamLayer{}, map[string]float64{}
	for i := range r.net.Layers {
		r.WeightBytes += all[i]
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

package results

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream/litert"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/modeldiff"
	"github.com/tflarena/tflarena/tflite"
)

// ManifestVersion is the version of the manifest of segments. It increases when a field changes its
// meaning or is removed, not when one is added.
const ManifestVersion = 1

// A Manifest describes how a program runs a model in segments. Times are in milliseconds. Its own figures, and those of its
// segments, are those of the smallest budget, for programs that know only one.
type Manifest struct {
	// Version of the manifest, increased when a field changes its meaning or is removed, not when one is added.
	ManifestVersion int `json:"manifest_version"`
	// Name of the file that was cut.
	Model string `json:"model"`
	// SHA-256 of the file that was cut, in hexadecimal.
	ModelSHA256 string `json:"model_sha256"`
	// Smallest budget of the plans: memory that a run may take, in bytes, in addition to what the program takes before it
	// first runs a model.
	BudgetBytes int64 `json:"budget_bytes"`
	// Smallest budget in bytes for which segments were found.
	LeastBudgetBytes int64 `json:"least_budget_bytes"`
	// Most bytes that the plan of the smallest budget holds at any time.
	PeakBytes int64 `json:"peak_bytes"`
	// Part of the budget in bytes for LiteRT itself, when it first runs a model.
	RuntimeBytes int64 `json:"runtime_bytes"`
	// Whether the budget includes LiteRT's default delegate. Segments must then run with it.
	DefaultDelegate bool `json:"default_delegate"`
	// Time of a run in the smallest budget that starts with the resident segments in memory, in milliseconds.
	LatencyMS float64 `json:"latency_ms"`
	// Time of the first run in the smallest budget in milliseconds, including the load of the resident segments before it.
	FirstLatencyMS float64 `json:"first_latency_ms"`
	LowerBoundMS   float64 `json:"lower_bound_ms"`
	// Plan for each budget, the smallest budget first. A program follows one in a run, and may follow another in the next.
	// Manifests of early versions have none: their fields are the only plan.
	Plans []SegmentsPlan `json:"plans"`
	// IDs of the model's inputs, in their order.
	Inputs []string `json:"inputs"`
	// IDs of the model's outputs, in their order.
	Outputs []string `json:"outputs"`
	// Inputs and outputs of the model and of all segments, in the order of the model.
	Tensors []SegmentTensor `json:"tensors"`
	// Segments in the order in which they run.
	Segments []Segment `json:"segments"`
	// Segments that every run in the smallest budget loads, in the order of their loads. All others are loaded once, before the
	// first run.
	LoadOrder []int `json:"load_order"`
}

// A SegmentsPlan is how the segments run in one budget.
type SegmentsPlan struct {
	// Memory that a run may take, in bytes, in addition to what the program takes before it first runs a model.
	BudgetBytes int64 `json:"budget_bytes"`
	// Most bytes that the plan holds at any time.
	PeakBytes int64 `json:"peak_bytes"`
	// Time of a run that starts with the resident segments in memory, in milliseconds.
	LatencyMS float64 `json:"latency_ms"`
	// Time of the first run in milliseconds, including the load of the resident segments before it.
	FirstLatencyMS float64 `json:"first_latency_ms"`
	LowerBoundMS   float64 `json:"lower_bound_ms"`
	// Bytes of files that a run reads.
	ReadBytes int64 `json:"read_bytes"`
	// Segments that every run loads, in the order of their loads. All others are resident.
	Loads []SegmentLoad `json:"loads"`
}

// A SegmentLoad is the load of a segment in each run.
type SegmentLoad struct {
	// Number of the segment.
	Segment int `json:"segment"`
	// Segment that must be done, and dropped, before the file is read; 0 if reading may begin with the run.
	WaitsFor int `json:"waits_for"`
}

// A SegmentTensor is a tensor between segments.
type SegmentTensor struct {
	ID string `json:"id"`
	// Name in the file.
	Name  string `json:"name"`
	DType string `json:"dtype"`
	// Dimensions as in the file, -1 if unknown.
	Shape []int32 `json:"shape"`
	// Size of the elements in bytes.
	SizeBytes int64 `json:"size_bytes"`
}

// A Segment is a file with some operators of the model.
type Segment struct {
	// Number of the segment, from 1. It is its layer in the command's JSON.
	Segment int `json:"segment"`
	// Name of the file, which is in the folder of the manifest.
	File  string `json:"file"`
	Bytes int64  `json:"file_bytes"`
	// SHA-256 of the file, in hexadecimal.
	SHA256 string `json:"sha256"`
	// First operator of the segment, inclusive; with `--slice`, of the sliced model.
	FirstOp int `json:"first_op"`
	// Last operator of the segment, inclusive.
	LastOp int `json:"last_op"`
	// Whether the file stays in memory across runs in the smallest budget.
	Resident bool `json:"is_resident"`
	// Segment that must be done, and dropped, before the file is read in the smallest budget; 0 if reading may begin with the
	// run. A resident segment waits for none.
	WaitsFor int `json:"waits_for"`
	// Most bytes that LiteRT needs while the segment runs, in addition to its file: tensors, kernel requests, and
	// the interpreter.
	WorkingBytes int64 `json:"working_bytes"`
	// Expected time to read the file, in milliseconds.
	LoadMS float64 `json:"load_ms"`
	// Expected time to run the segment, in milliseconds.
	ComputeMS float64 `json:"compute_ms"`
	// IDs of the tensors that the segment reads, in the order of its inputs.
	Inputs []string `json:"inputs"`
	// IDs of the tensors that the segment makes, in the order of its outputs.
	Outputs []string `json:"outputs"`
}

// NewManifest returns the manifest of plans, which are of the same segments in ascending budgets. The segments have the given
// files. source is the original model, before any layers were sliced.
func NewManifest(plans []*litert.SegmentPlan, source *tflite.Model, files []litert.SegmentFile) *Manifest {
	p := plans[0]
	sub := &p.Model.Subgraphs[0]
	m := &Manifest{
		ManifestVersion: ManifestVersion, Model: filepath.Base(source.Name), ModelSHA256: digest(source.Data),
		BudgetBytes: p.Stream.Budget, LeastBudgetBytes: p.Least.Bytes, PeakBytes: p.Held(), RuntimeBytes: p.RuntimeBytes, DefaultDelegate: p.Delegate,
		LatencyMS: milliseconds(p.Stream.Latency), FirstLatencyMS: milliseconds(p.Stream.First), LowerBoundMS: milliseconds(p.Stream.LowerBound),
		Inputs: tensorIDs(p.Model, sub.Inputs), Outputs: tensorIDs(p.Model, sub.Outputs), Tensors: []SegmentTensor{}, LoadOrder: []int{},
	}
	for _, one := range plans {
		m.Plans = append(m.Plans, segmentsPlan(one))
	}
	streamed := map[int]bool{}
	for _, load := range m.Plans[0].Loads {
		streamed[load.Segment] = true
		m.LoadOrder = append(m.LoadOrder, load.Segment)
	}
	between := append(slices.Clone(sub.Inputs), sub.Outputs...)
	for i, s := range p.Segments {
		layer := i + 1
		between = append(append(between, s.Inputs...), s.Outputs...)
		m.Segments = append(m.Segments, Segment{
			Segment: layer, File: files[i].Name, Bytes: files[i].Bytes, SHA256: files[i].SHA256,
			FirstOp: s.First, LastOp: s.Last, Resident: !streamed[layer], WaitsFor: p.Stream.Waits[layer], WorkingBytes: s.Working,
			LoadMS: milliseconds(s.Load), ComputeMS: milliseconds(s.Compute),
			Inputs: tensorIDs(p.Model, s.Inputs), Outputs: tensorIDs(p.Model, s.Outputs),
		})
	}
	slices.Sort(between)
	for _, t := range slices.Compact(between) {
		m.Tensors = append(m.Tensors, segmentTensor(p.Model, &sub.Tensors[t]))
	}
	return m
}

func segmentsPlan(p *litert.SegmentPlan) SegmentsPlan {
	plan := SegmentsPlan{
		BudgetBytes: p.Stream.Budget, PeakBytes: p.Held(), LatencyMS: milliseconds(p.Stream.Latency), FirstLatencyMS: milliseconds(p.Stream.First),
		LowerBoundMS: milliseconds(p.Stream.LowerBound), Loads: []SegmentLoad{},
	}
	for i, t := range p.Network.Tensors {
		if t.Kind == network.Weight && !p.Stream.Resident[i] {
			plan.ReadBytes += p.Segments[t.First-1].Bytes
			plan.Loads = append(plan.Loads, SegmentLoad{Segment: t.First, WaitsFor: p.Stream.Waits[t.First]})
		}
	}
	return plan
}

// ListedSegments returns the names of the files in a manifest. It is false for data that is no manifest
// of this version.
func ListedSegments(data []byte) (names []string, ok bool) {
	var m Manifest
	if json.Unmarshal(data, &m) != nil || m.ManifestVersion != ManifestVersion || m.ModelSHA256 == "" || len(m.Segments) == 0 {
		return nil, false
	}
	for _, s := range m.Segments {
		if !litert.IsSegmentFile(s.File) {
			return nil, false
		}
		names = append(names, s.File)
	}
	return names, true
}

func segmentTensor(m *tflite.Model, t *tflite.Tensor) SegmentTensor {
	bytes, _ := t.PackedBytes()
	return SegmentTensor{ID: m.TensorID(0, t.Index), Name: t.Name, DType: t.Type.String(), Shape: modeldiff.Shape(t), SizeBytes: bytes}
}

func tensorIDs(m *tflite.Model, list []int) []string {
	ids := []string{}
	for _, t := range list {
		ids = append(ids, m.TensorID(0, t))
	}
	return ids
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

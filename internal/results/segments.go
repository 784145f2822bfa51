package results

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/modeldiff"
	"github.com/tflarena/tflarena/internal/segments"
	"github.com/tflarena/tflarena/tflite"
)

// ManifestVersion is the version of the manifest of segments. It goes up when a field changes its
// meaning or goes away, not when one is added.
const ManifestVersion = 1

// A Manifest says how a program runs a model in segments. Times are in milliseconds.
type Manifest struct {
	ManifestVersion int `json:"manifest_version"`
	// Model is the name of the file that was cut, ModelSHA256 the digest of its bytes.
	Model       string `json:"model"`
	ModelSHA256 string `json:"model_sha256"`
	// BudgetBytes is what the run may take besides what the program takes before it runs any model.
	BudgetBytes      int64 `json:"budget_bytes"`
	LeastBudgetBytes int64 `json:"least_budget_bytes"`
	PeakBytes        int64 `json:"peak_bytes"`
	RuntimeBytes     int64 `json:"runtime_bytes"`
	// DefaultDelegate says that the budget is for LiteRT with its default delegate.
	DefaultDelegate bool    `json:"default_delegate"`
	LatencyMS       float64 `json:"latency_ms"`
	FirstLatencyMS  float64 `json:"first_latency_ms"`
	LowerBoundMS    float64 `json:"lower_bound_ms"`
	// Inputs and Outputs are those of the model, by the IDs of their tensors.
	Inputs  []string `json:"inputs"`
	Outputs []string `json:"outputs"`
	// Tensors are the inputs and outputs of the model and of all segments.
	Tensors  []SegmentTensor `json:"tensors"`
	Segments []Segment       `json:"segments"`
	// LoadOrder lists the segments that every run loads, in the order of their loads.
	LoadOrder []int `json:"load_order"`
}

// A SegmentTensor is a tensor between segments.
type SegmentTensor struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	DType     string  `json:"dtype"`
	Shape     []int32 `json:"shape"`
	SizeBytes int64   `json:"size_bytes"`
}

// A Segment is a file with some operators of the model.
type Segment struct {
	// Segment is its number, from 1.
	Segment  int    `json:"segment"`
	File     string `json:"file"`
	Bytes    int64  `json:"file_bytes"`
	SHA256   string `json:"sha256"`
	FirstOp  int    `json:"first_op"`
	LastOp   int    `json:"last_op"`
	Resident bool   `json:"is_resident"`
	// WaitsFor is the segment that has to be done before this one is loaded, 0 for none.
	WaitsFor     int      `json:"waits_for"`
	WorkingBytes int64    `json:"working_bytes"`
	LoadMS       float64  `json:"load_ms"`
	ComputeMS    float64  `json:"compute_ms"`
	Inputs       []string `json:"inputs"`
	Outputs      []string `json:"outputs"`
}

// NewManifest returns the manifest of a plan, whose segments have the files given. source is the
// model as it was read, before any layers were sliced.
func NewManifest(p *segments.Plan, source *tflite.Model, files []segments.File) *Manifest {
	sub := &p.Model.Subgraphs[0]
	m := &Manifest{
		ManifestVersion: ManifestVersion, Model: filepath.Base(source.Name), ModelSHA256: digest(source.Data),
		BudgetBytes: p.Stream.Budget, LeastBudgetBytes: p.Least.Bytes, PeakBytes: p.Held(), RuntimeBytes: p.RuntimeBytes, DefaultDelegate: p.Delegate,
		LatencyMS: milliseconds(p.Stream.Latency), FirstLatencyMS: milliseconds(p.Stream.First), LowerBoundMS: milliseconds(p.Stream.LowerBound),
		Inputs: tensorIDs(p.Model, sub.Inputs), Outputs: tensorIDs(p.Model, sub.Outputs), Tensors: []SegmentTensor{}, LoadOrder: []int{},
	}
	resident := make([]bool, len(p.Segments)+1)
	for i, t := range p.Network.Tensors {
		resident[t.First] = resident[t.First] || p.Stream.Resident[i]
	}
	between := append(slices.Clone(sub.Inputs), sub.Outputs...)
	for i, s := range p.Segments {
		layer := i + 1
		between = append(append(between, s.Inputs...), s.Outputs...)
		if !resident[layer] {
			m.LoadOrder = append(m.LoadOrder, layer)
		}
		m.Segments = append(m.Segments, Segment{
			Segment: layer, File: files[i].Name, Bytes: files[i].Bytes, SHA256: files[i].SHA256,
			FirstOp: s.First, LastOp: s.Last, Resident: resident[layer], WaitsFor: p.Stream.Waits[layer], WorkingBytes: s.Working,
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

// ListedSegments returns the names of the files that a manifest lists. It is false for data that is no manifest
// of this version.
func ListedSegments(data []byte) (names []string, ok bool) {
	var m Manifest
	if json.Unmarshal(data, &m) != nil || m.ManifestVersion != ManifestVersion || m.ModelSHA256 == "" || len(m.Segments) == 0 {
		return nil, false
	}
	for _, s := range m.Segments {
		if !segments.IsFileName(s.File) {
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

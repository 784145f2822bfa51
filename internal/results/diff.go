package results

import (
	"bytes"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/modeldiff"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/provenance"
	"github.com/tflarena/tflarena/tflite"
)

// A Difference is a kind of difference between two models.
type Difference string

// The differences, in the order in which [Diff.Differences] has them.
const (
	differTiling    Difference = "tiling"    // operators are computed in tiles in one of the models, or in other tiles
	differOrder     Difference = "order"     // operators run in another order
	differOperators Difference = "operators" // operators came, went or do something else
	differTensors   Difference = "tensors"   // tensors came, went, or are of another size, name, index or role
	differData      Difference = "data"      // constants hold other values
	differPlan      Difference = "plan"      // the embedded memory plan, or its marker
	differMetadata  Difference = "metadata"  // metadata other than these
	differOther     Difference = "other"     // what [Diff.Other] lists
	differEncoding  Difference = "encoding"  // bytes, and nothing that is compared here
)

// A Diff is the output of "diff": the changes from model A to model B. Differences in bytes are B's
// figure less A's.
type Diff struct {
	Runtime string `json:"runtime"`
	// Whether the files are byte-identical.
	Identical bool `json:"identical"`
	// Kinds of differences; empty only if the files are byte-identical.
	Differences []Difference `json:"differences"`
	// Whether the models have so little in common that the changes are meaningless.
	Unlike bool `json:"unlike"`
	// used_bytes of the second model minus that of the first; negative if it is smaller. Absent if 0 or unknown.
	UsedDifferenceBytes int64 `json:"used_difference_bytes,omitzero"`
	// head_bytes of the second model minus that of the first; negative if it is smaller.
	HeadDifferenceBytes int64 `json:"head_difference_bytes"`
	// lower_bound_bytes of the second model minus that of the first; negative if it is smaller.
	LowerBoundDifferenceBytes int64 `json:"lower_bound_difference_bytes"`
	// file_bytes of the second model minus that of the first; negative if it is smaller.
	FileDifferenceBytes int64 `json:"file_difference_bytes"`

	// First of the two models, or its value.
	A DiffSide `json:"a"`
	// Second of the two models, or its value.
	B DiffSide `json:"b"`

	// Changes of the operators.
	Operators modeldiff.List[modeldiff.Operator] `json:"operator_changes"`
	// Changes of the tensors.
	Tensors modeldiff.List[modeldiff.Tensor] `json:"tensor_changes"`
	// Change of the embedded memory plan.
	Plan modeldiff.Plan `json:"plan_change"`
	// Names of metadata that differ, apart from the memory plan.
	Metadata modeldiff.Metadata `json:"metadata_changes"`
	// Other parts of the file that differ, such as `signatures`, for people.
	Other    []string `json:"other_changes"`
	Notes    []Note   `json:"notes"`
	Warnings []Note   `json:"warnings"`

	label, title string
	ownPlanner   bool
	// retiled reports that the tiled blocks differ.
	retiled bool
	// hidden are the changes in tiled blocks that [Diff.withoutTiles] has removed.
	hidden struct{ operators, tensors int }
}

// A DiffSide is one of the two models of a [Diff]. Its figures are as in an [Analysis].
type DiffSide struct {
	// Interrupted reports whether the search for the plan ended early.
	Interrupted bool   `json:"-"`
	Input       string `json:"input"`
	State
	HeadPlanner string `json:"head_planner"`
	Scratch     string `json:"scratch,omitempty"`
	ABI         string `json:"abi,omitempty"`
	KernelLibrary
	EmbeddedPlan    *EmbeddedPlan `json:"embedded_plan,omitempty"`
	LowerBoundBytes int64         `json:"lower_bound_bytes"`
	Peak            Peak          `json:"peak,omitzero"`
	// Number of subgraphs in the file.
	Subgraphs int `json:"subgraph_count"`
	// Number of operators in the file.
	Operators int `json:"operator_count"`
	// Number of tensors in the file.
	Tensors        int `json:"tensor_count"`
	TensorsPlanned int `json:"tensors_planned"`
	// Rules by which operators were replaced, as the file records them. Absent if it has no record, or one that cannot
	// be read.
	Rules *provenance.Record `json:"rules,omitempty"`
	// Runs of operators that are computed in tiles, as the file records them. Absent if there are none.
	Tiled    []TiledBlock `json:"tiled_blocks,omitempty"`
	Notes    []Note       `json:"notes"`
	Warnings []Note       `json:"warnings"`

	// Layout is what a picture shows of the model.
	Layout *Layout `json:"-"`

	model *tflite.Model
}

// NewDiffSide returns the figures of a model as a runtime sees it, with its records with or without
// scratch. The plan comes from the runtime's planner, or is the best one if it has none.
func NewDiffSide(v *rules.View, records []lifetime.Record, plan *alloc.Plan) *DiffSide {
	s := &DiffSide{
		Input: v.Model.Name, HeadPlanner: plan.Winner,
		Operators:       v.Model.OperatorCount(),
		State:           State{Figures: rules.Figures{Head: plan.Total}, FileBytes: int64(len(v.Model.Data))},
		LowerBoundBytes: alloc.LowerBound(alloc.Offsets, records), Peak: peak(v, records), Subgraphs: len(v.Model.Subgraphs), TensorsPlanned: len(v.Records()),
		Notes: RuleNotes(v.Notes), Warnings: []Note{}, model: v.Model,
	}
	s.Tiled = tiledBlocks(v.Model)
	s.Rules, _ = provenance.Read(v.Model) // verify reports a record that cannot be read
	for i := range v.Model.Subgraphs {
		s.Tensors += len(v.Model.Subgraphs[i].Tensors)
	}
	return s
}

// SetArena is [Analysis.SetArena].
func (s *DiffSide) SetArena(arena rules.Arena, device rules.Device) {
	s.Figures, s.Scratch, s.ABI, s.KernelLibrary = arena.Stated(), device.ScratchSource(), device.ABI.Name, NewKernelLibrary(device)
}

// Carries is [Analysis.Carries].
func (s *DiffSide) Carries(fixed, planned int, online int64) {
	s.EmbeddedPlan = &EmbeddedPlan{TensorsFixed: fixed, TensorsPlanned: planned, OnlineBytes: online}
}

// arenaDifference is zero if one of the arenas is unknown.
func arenaDifference(a, b rules.Figures) int64 {
	if !a.Known() || !b.Known() {
		return 0
	}
	return b.Used - a.Used
}

// NewDiff compares two models under the same rules.
func NewDiff(r rules.Rules, a, b *DiffSide) *Diff {
	d := &Diff{
		Runtime: r.Name, Identical: bytes.Equal(a.model.Data, b.model.Data),
		UsedDifferenceBytes:       arenaDifference(a.Figures, b.Figures),
		HeadDifferenceBytes:       b.Head - a.Head,
		LowerBoundDifferenceBytes: b.LowerBoundBytes - a.LowerBoundBytes,
		FileDifferenceBytes:       b.FileBytes - a.FileBytes,
		A:                         *a, B: *b, Notes: []Note{}, Warnings: []Note{},
		label: r.Figure, title: r.Title, ownPlanner: r.Planner != "",
	}
	m := modeldiff.Compare(a.model, b.model)
	d.Operators, d.Tensors = m.Operators, m.Tensors
	d.Plan, d.Metadata, d.Other = m.Plan, m.Metadata, present(m.Other)
	d.Unlike = m.Unlike
	d.retiled = !slices.EqualFunc(a.Tiled, b.Tiled, TiledBlock.same)
	d.Differences = d.sorts()
	return d
}

// sorts returns the words for what differs.
func (d *Diff) sorts() []Difference {
	isOrder := func(word string) bool { return word == "order" }
	isData := func(word string) bool { return word == "data" }
	operators, tensors := &d.Operators, &d.Tensors
	list := []Difference{}
	for _, s := range []struct {
		word    Difference
		differs bool
	}{
		{differTiling, d.retiled},
		{differOrder, operators.Differing(isOrder) > 0},
		{differOperators, operators.Unmatched() > 0 || operators.Differing(not(isOrder)) > 0},
		{differTensors, tensors.Unmatched() > 0 || tensors.Differing(not(isData)) > 0},
		{differData, tensors.Differing(isData) > 0},
		{differPlan, d.Plan.Differs()},
		{differMetadata, d.Metadata.Differs()},
		{differOther, len(d.Other) > 0},
	} {
		if s.differs {
			list = append(list, s.word)
		}
	}
	if len(list) == 0 && !d.Identical {
		list = append(list, differEncoding)
	}
	return list
}

func not(f func(string) bool) func(string) bool { return func(s string) bool { return !f(s) } }

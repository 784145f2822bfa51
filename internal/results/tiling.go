package results

import (
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/tiles"
	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/memorymap"
	"github.com/tflarena/tflarena/internal/picture"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/tflite"
)

// A Tiling describes how a model is computed tile by tile.
type Tiling struct {
	// Given size of the on-chip memory in bytes.
	OnChipLimit int64 `json:"on_chip_limit_bytes"`
	// Most bytes that one step needs on chip: its inputs and outputs, weights included.
	OnChip int64 `json:"on_chip_bytes"`
	// Total in bytes of a plan of whole tensors, none of which stays on chip.
	WithoutTiles int64 `json:"without_tiles_bytes"`
	// Whether no plan of whole tensors is smaller.
	WithoutTilesProven bool `json:"without_tiles_proven"`
	// Number of the last step, which reads the outputs. Step 0 writes the inputs.
	LastStep int `json:"last_step"`
	// IDs of the tensors that stay on chip, because a cascade makes and reads them.
	OnChipTensors []string `json:"on_chip_tensors"`
	// IDs of the off-chip tensors of which bytes are in use at the peak.
	PeakTensors []string `json:"peak_tensors"`
	// Operators in their order, with one element for each cascade.
	Runs []TilingRun `json:"tiling_runs"`
	// Recommended command line; empty without one.
	Next string `json:"next"`
}

// A TilingRun is an operator, or a cascade.
type TilingRun struct {
	// Index of the run's first operator, inclusive.
	FirstOperator int `json:"first_operator"`
	// Index of the run's last operator, inclusive.
	LastOperator int `json:"last_operator"`
	// Kind of the run's first operator, such as CONV_2D, or its custom code.
	Kind string `json:"operator_kind"`
	// Unit of the tiles: `own` for the tiles of a file, `whole` for an operator in one step.
	Tile tiling.Cut `json:"tile"`
	// Number of rows, pixels or channels of a tile; the last one may have fewer. It is 1 if tile is `whole` or
	// `own`.
	Extent int64 `json:"extent"`
	// First step of the run.
	FirstStep int `json:"first_step"`
	// Last step of the run, inclusive.
	LastStep int `json:"last_step"`
	// Most bytes in use off chip while the run is computed.
	OffChip int64 `json:"off_chip_bytes"`
	OnChip  int64 `json:"on_chip_bytes"`
}

// NewTiling returns the plan of a tiled model as a result. Positions are steps.
func NewTiling(input string, m *tflite.Model, subgraph int, limit int64, p *tiling.Result) *Plan {
	records, err := tiles.Records(p.Problem)
	if err != nil {
		panic("results: " + err.Error()) // they have been planned
	}
	r := NewTilePlan(input, "", semanticsOf(p), records, p.Plan)
	places := Places{}
	for i := range p.Indexes {
		places[p.Tensors[i].ID] = &m.Subgraphs[subgraph].Tensors[p.Indexes[i]]
	}
	for i := range r.Placements {
		x := &r.Placements[i]
		x.Tensor = NewTensor(places, lifetime.Record{ID: x.ID, Name: x.Name, First: x.FirstOp, Last: x.LastOp, Size: x.SizeBytes})
	}
	t := &Tiling{
		OnChipLimit: limit, WithoutTiles: p.Whole.Total, WithoutTilesProven: p.Whole.Optimal, LastStep: p.LastStep,
		OnChipTensors: []string{}, PeakTensors: []string{}, Runs: []TilingRun{},
	}
	live := p.Live(p.Problem.Semantics)
	for i, run := range p.Runs {
		t.Runs = append(t.Runs, TilingRun{
			FirstOperator: run.First, LastOperator: run.Last, Kind: m.Subgraphs[subgraph].Operators[run.First].Name,
			Tile: run.Tile, Extent: run.Extent, FirstStep: run.FirstStep, LastStep: run.LastStep,
			OffChip: live[i], OnChip: run.OnChip,
		})
		t.OnChip = max(t.OnChip, run.OnChip)
		for _, tensor := range run.Between {
			t.OnChipTensors = append(t.OnChipTensors, m.TensorID(subgraph, tensor))
		}
	}
	t.peak(p)
	r.Tiling = t
	return r
}

func semanticsOf(p *tiling.Result) lifetime.Semantics {
	if p.Problem.Semantics == "" {
		return lifetime.Simultaneous
	}
	return p.Problem.Semantics
}

// peak records the tensors with bytes in use at the peak.
func (t *Tiling) peak(p *tiling.Result) {
	at, ok := p.Peak(p.Problem.Semantics)
	if !ok {
		return
	}
	for _, tensor := range p.Tensors {
		own, whole, _ := tensor.Lives(p.Problem.Semantics)
		if slices.ContainsFunc(append(own, whole...), func(l lifetime.Life) bool { return l.First <= at && at <= l.Last }) {
			t.PeakTensors = append(t.PeakTensors, tensor.ID)
		}
	}
}

// TilingPicture is [TilesPicture] of a tiled model.
func TilingPicture(m *tflite.Model, subgraph int, found *tiling.Result) *drawing.Page {
	var roles []lifetime.Role
	for _, tensor := range found.Indexes {
		roles = append(roles, role(&m.Subgraphs[subgraph].Tensors[tensor]))
	}
	return TilesPicture(m.Name+", off chip", found.Problem, found.Plan, roles)
}

// TilesPicture returns a picture of the bytes in use of tiled tensors, whose roles may be nil. It shows
// that tensors that share bytes use each of them at different times.
func TilesPicture(title string, p tiles.Problem, plan *alloc.Plan, roles []lifetime.Role) *drawing.Page {
	m := memorymap.Map{Offsets: plan.Offsets, Roles: roles, Unit: memorymap.Steps, Total: plan.Total, LowerBound: plan.LowerBound}
	for _, t := range p.Tensors {
		own, whole, _ := t.Lives(p.Semantics)
		m.Lives = append(m.Lives, append(own, whole...))
		m.Records = append(m.Records, tiledRecord(t, m.Lives[len(m.Lives)-1]))
	}
	return picture.Memory{Title: title, Map: m}.Page()
}

// cascades returns the runs of several operators.
func (t *Tiling) cascades() (list []TilingRun) {
	for _, r := range t.Runs {
		if r.FirstOperator < r.LastOperator {
			list = append(list, r)
		}
	}
	return list
}

// tileText describes the tiles of a run.
func (r TilingRun) tileText() string {
	switch r.Tile {
	case tiling.Whole:
		return "whole"
	case tiling.Own:
		return "as given"
	}
	if r.Extent == 1 {
		return "1 " + strings.TrimSuffix(string(r.Tile), "s")
	}
	return grouped(r.Extent) + " " + string(r.Tile)
}

package results

import (
	"github.com/tflarena/tflarena/internal/target"
)

// A Target is the output of "targets" for a chip, a board or a core.
type Target struct {
	Input string `json:"input"`
	Title string `json:"title"`
	// Name of a board's chip. Absent for others.
	Chip string `json:"chip,omitempty"`
	// Core by its full name.
	Core string `json:"core"`
	ABI  string `json:"abi"`
	// Kernel library of the usual build, with its release. Absent if these kernels are not modelled.
	Kernels string `json:"kernels,omitempty"`
	// Kernels that are not modelled, for people. Absent if they are.
	KernelsNote string `json:"kernels_note,omitempty"`
	// Regions of SRAM by address; empty for cores.
	Regions []Region `json:"sram_regions"`
	// Source of the regions; empty without any.
	Source string `json:"source"`
	// Clock of the core in MHz, for which times are estimated. Absent if it is not known.
	ClockMHz int `json:"clock_mhz,omitzero"`
	// Source of the clock. Absent without it.
	ClockSource string `json:"clock_source,omitempty"`
	Notes       []Note `json:"notes"`
	Warnings    []Note `json:"warnings"`
}

// A Region is a contiguous range of SRAM.
type Region struct {
	// Name in the source of the regions.
	Name string `json:"name"`
	// First address.
	Start uint64 `json:"address"`
	// Size in bytes.
	Bytes int64 `json:"size_bytes"`
}

// NewTarget returns a target as a result.
func NewTarget(t *target.Target) *Target {
	r := &Target{
		Input: t.Name, Title: t.Title, Chip: t.Chip, Core: t.Core, ABI: t.ABI.Name, Kernels: t.Kernels, KernelsNote: t.KernelsNote,
		Regions: []Region{}, Source: t.Source, ClockMHz: t.Clock, ClockSource: t.ClockSource, Notes: []Note{}, Warnings: []Note{},
	}
	for _, x := range t.Regions {
		r.Regions = append(r.Regions, Region{x.Name, x.Start, x.Bytes})
	}
	return r
}

// A Board is the target of a verdict and the limit there, zero without both.
type Board struct {
	// Target of the figures, as the flag `--target` names it. Absent without one.
	Name string `json:"target_name,omitempty"`
	// Inclusive budget of a project file for the required arena, in bytes. Absent without one, and from `check`, which has
	// budgets.
	BudgetBytes *int64 `json:"budget_bytes,omitempty"`
	// Size of the target's largest SRAM region, in bytes, which the verdict compares with the required arena if there is no
	// budget. Absent if it is not known.
	SRAM int64 `json:"sram_bytes,omitzero"`
	// Kernels of the target, for people, if they are not modelled: the figures are then for the reference kernels, and the
	// verdict is NOT KNOWN. Absent otherwise.
	Unmodelled string `json:"target_kernels_unmodelled,omitempty"`
}

// NewBoard returns the target of a verdict; chosen reports that other kernels than its own are named.
func NewBoard(t *target.Target, chosen bool) Board {
	b := Board{Name: t.Name}
	if r, ok := t.SRAM(); ok {
		b.SRAM = r.Bytes
	}
	if t.Kernels == "" && !chosen {
		b.Unmodelled = t.KernelsNote
	}
	return b
}

// limit returns the limit for the required arena, in bytes, and its name, which is "" without one.
func (b Board) limit() (bytes int64, name string) {
	switch {
	case b.BudgetBytes != nil:
		return *b.BudgetBytes, "budget"
	case b.SRAM > 0:
		return b.SRAM, "SRAM of " + b.Name
	}
	return 0, ""
}

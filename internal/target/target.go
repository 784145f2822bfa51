// Package target lists chips, boards and cores by name, each with its ABI, its kernel library, its SRAM
// and its clock. The table is targets.csv, which generate.py writes.
package target

import (
	"cmp"
	"sync"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// Region is a contiguous range of SRAM that can hold an arena.
type Region struct {
	// Name is that of the source. Memories with touching addresses are one region, named after the first
	// and the last of them: "sram1 to sram3".
	Name  string
	Start uint64
	Bytes int64
}

// Target is a chip, a board, a core, or the host.
type Target struct {
	// Name is in lower case with dashes, Title as the vendor spells it.
	Name, Title string
	// Chip is the name of a board's chip, "" for other targets.
	Chip string
	// Core is the full name of the core, such as "Cortex-M7".
	Core string
	ABI  rules.ABI
	// Kernels is the kernel library of the usual build, with the newest modelled release; "" if the
	// shipped kernels are not modelled. KernelsNote then describes them.
	Kernels, KernelsNote string
	// Regions is sorted by address. It is empty for cores and for the host.
	Regions []Region
	// Source is the origin of Regions: a package with its version, or a document with its link; "" if
	// there are none.
	Source string
	// Clock is the frequency of the core in MHz, 0 if no source has it; ClockSource is then "".
	Clock       int
	ClockSource string
}

// SRAM returns the largest region, and false for a target without regions.
func (t *Target) SRAM() (Region, bool) {
	if len(t.Regions) == 0 {
		return Region{}, false
	}
	return slices.MaxFunc(t.Regions, func(a, b Region) int { return cmp.Compare(a.Bytes, b.Bytes) }), true
}

// List returns all targets, sorted by name. Callers must not modify them.
func List() []*Target { return slices.Clone(all()) }

var all = sync.OnceValue(func() []*Target {
	list, err := parse(table)
	if err != nil {
		panic(err) // TestTable parses the same bytes
	}
	return list
})

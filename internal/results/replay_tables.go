package results

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
)

// noFunction replaces the unknown requester of blocks.
const noFunction = "(no stack recorded)"

// holders returns the functions that hold memory, limited to the first rows unless top is 0.
func (d *ReplayDevice) holders(top int) *tables.Table {
	t := &tables.Table{Columns: []tables.Column{
		{Head: "function", Kind: tables.Name},
		{Head: "blocks", Kind: tables.Number, Rank: 2},
		{Head: "allocated", Kind: tables.Bytes},
		{Head: "wasted", Kind: tables.Bytes},
		{Head: "file", Kind: tables.Name, Rank: 3},
	}}
	var rest Holder
	for i, h := range d.Holders {
		if top > 0 && i >= top {
			rest.Blocks, rest.AllocatedBytes, rest.WastedBytes = rest.Blocks+h.Blocks, rest.AllocatedBytes+h.AllocatedBytes, rest.WastedBytes+h.WastedBytes
			continue
		}
		if h.Function == "" {
			h.Function = noFunction
		}
		t.Add(h.Function, h.Blocks, h.AllocatedBytes, h.WastedBytes, h.File)
	}
	if rest.Blocks > 0 {
		t.Add(fmt.Sprintf("%s more", count(len(d.Holders)-top, "function")), rest.Blocks, rest.AllocatedBytes, rest.WastedBytes, "")
	}
	if d.EmptyBytes > 0 {
		t.Add("(segments without a block)", 0, 0, d.EmptyBytes, "")
	}
	return t
}

// table returns the iterations, limited to the first rows unless top is 0.
func (c *ReplayCycles) table(top int) *tables.Table {
	t := &tables.Table{Columns: []tables.Column{
		{Head: "number", Kind: tables.Number},
		{Head: "events", Kind: tables.Right},
		{Head: "requests", Kind: tables.Number},
		{Head: "hot", Kind: tables.Number, Rank: 3},
		{Head: "hot peak", Kind: tables.Bytes},
		{Head: "the plan is good", Rank: 2},
	}}
	for i, s := range c.List {
		if top > 0 && i >= top {
			break
		}
		good := "yes"
		if !s.Fits {
			good = "no: " + s.Reason
		}
		t.Add(i, units.Number(int64(s.FirstEvent))+".."+units.Number(int64(s.EndEvent)), s.Requests, s.Hot, s.PeakBytes, good)
	}
	return t
}

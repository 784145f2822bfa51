package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
)

// grouped writes an integer with commas between thousands.
func grouped(n int64) string { return units.Number(n) }

// text writes the saving by tiles, and the on-chip tensors.
func (t *Tiling) text(b *strings.Builder, s Style, r *Plan) {
	without := s.bytes(t.WithoutTiles)
	if t.WithoutTilesProven {
		without += ", proven to be the smallest"
	}
	switch saved := t.WithoutTiles - r.TotalBytes; {
	case saved > 0:
		without += fmt.Sprintf("; tiles save %s (%s)", s.bytes(saved), units.Percent(saved, t.WithoutTiles))
	default:
		without += "; tiles save nothing"
	}
	s.line(b, "without tiles", without)
	if len(t.PeakTensors) > 0 {
		s.line(b, "peak", "bytes of "+firstFew(t.PeakTensors)+" are in use at the peak")
	}
	s.line(b, "on chip", fmt.Sprintf("%s of %s in the largest step", s.bytes(t.OnChip), s.bytes(t.OnChipLimit)))
	s.line(b, "steps", fmt.Sprintf("%s, one for each tile; inputs are written in step 0, and outputs read in step %d", count(max(t.LastStep-1, 0), "step"), t.LastStep))
	if list := t.cascades(); len(list) > 0 {
		var names []string
		for _, c := range list {
			names = append(names, fmt.Sprintf("%d to %d", c.FirstOperator, c.LastOperator))
		}
		stay := "1 tensor between them stays on chip: "
		if len(t.OnChipTensors) > 1 {
			stay = count(len(t.OnChipTensors), "tensor") + " between them stay on chip: "
		}
		s.line(b, "cascades", fmt.Sprintf("operators %s are computed stripe by stripe; %s", joinedWords(names), stay+firstFew(t.OnChipTensors)))
	}
}

// firstFew names the first few of a list of tensors.
func firstFew(ids []string) string {
	const shown = 8
	if len(ids) > shown+1 {
		return strings.Join(ids[:shown], ", ") + fmt.Sprintf(" and %d others", len(ids)-shown)
	}
	return joinedWords(ids)
}

// joinedWords joins words as in a sentence.
func joinedWords(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// table has a row for each operator and each cascade, limited to the first rows unless top is 0.
func (t *Tiling) table(top int) *tables.Table {
	x := &tables.Table{Columns: []tables.Column{
		{Head: "operators", Kind: tables.Right},
		{Head: "first kind", Kind: tables.Name},
		{Head: "tile", Kind: tables.Name},
		{Head: "first", Kind: tables.Number, Rank: 2},
		{Head: "last", Kind: tables.Number, Rank: 2},
		{Head: "off chip", Kind: tables.Bytes},
		{Head: "on chip", Kind: tables.Bytes},
	}}
	for i, r := range t.Runs {
		if top > 0 && i == top {
			x.Rows = append(x.Rows, tables.Row{Cells: []any{"", "(" + count(len(t.Runs)-i, "other") + ")", "", "", "", "", ""}, Summary: true})
			break
		}
		operators := fmt.Sprint(r.FirstOperator)
		if r.LastOperator > r.FirstOperator {
			operators += fmt.Sprintf("-%d", r.LastOperator)
		}
		x.Add(operators, r.Kind, r.tileText(), r.FirstStep, r.LastStep, r.OffChip, r.OnChip)
	}
	return x
}

package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
)

// An InputShape is the --shape of an input.
type InputShape struct {
	// Name or ID of the input.
	Name string `json:"name"`
	// Given dimensions.
	Shape []int32 `json:"shape"`
}

// String returns "NAME=1,224,224,3".
func (s InputShape) String() string {
	return s.Name + "=" + strings.ReplaceAll(strings.Trim(fmt.Sprint(s.Shape), "[]"), " ", ",")
}

// ShapesText returns the plans of one model with several shapes for people: the arena that suffices for
// all, and the use by each shape.
func ShapesText(s Style, plans []*Plan) string {
	var b strings.Builder
	largest, proven := plans[0], true
	for _, p := range plans {
		proven = proven && p.ProvenOptimal
		if p.TotalBytes > largest.TotalBytes {
			largest = p
		}
	}
	s.line(&b, largest.label(), fmt.Sprintf("%s, enough for %s", s.Paint.Strong(s.bytes(largest.TotalBytes)), count(len(plans), "shape")))
	least := "not proven for all"
	if proven {
		least = s.Paint.Good("yes") + ", for each of them"
	}
	s.line(&b, "optimal", least)
	t := &tables.Table{Columns: []tables.Column{
		{Head: "shape", Kind: tables.Name},
		{Head: "planned", Kind: tables.Bytes},
		{Head: "bound", Kind: tables.Bytes, Rank: 2},
		{Head: "of the largest", Kind: tables.Right},
	}}
	for _, p := range plans {
		var names []string
		for _, shape := range p.InputShapes {
			names = append(names, shape.String())
		}
		t.Add(strings.Join(names, " "), p.TotalBytes, p.LowerBoundBytes, units.Percent(p.TotalBytes, largest.TotalBytes))
	}
	s.table(&b, "what each shape takes", t)
	return b.String()
}

package picture

import (
	"testing"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/memorymap"
	"github.com/tflarena/tflarena/lifetime"
)

// TestLoad: the bytes alive are one area for as long as anything is alive, so that nothing shines
// through between operators.
func TestLoad(t *testing.T) {
	m := Memory{Map: memorymap.Map{
		Steps: make([]string, 9), Total: 8, LowerBound: 8, Roles: []lifetime.Role{"input", "output", "activation"}, Offsets: []int64{0, 4, 0},
		Records: []lifetime.Record{{ID: "0:0", First: 0, Last: 1, Size: 4}, {ID: "0:1", First: 1, Last: 2, Size: 4}, {ID: "0:2", First: 6, Last: 8, Size: 4}},
	}}
	var parts [][]drawing.Point
	m.Page().Each(func(mark drawing.Mark) {
		if p, ok := mark.(drawing.Path); ok && p.Look == loadLook {
			parts = append(parts, p.Parts...)
		}
	})
	if len(parts) != 2 || len(parts[0]) != 2+2*3 || len(parts[1]) != 2+2 {
		t.Fatalf("%+v", parts)
	}
	for _, part := range parts {
		if part[0].Y != part[len(part)-1].Y || part[0].X >= part[len(part)-1].X {
			t.Errorf("%+v does not end where it began", part)
		}
	}
}

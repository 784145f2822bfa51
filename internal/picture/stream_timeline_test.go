package picture

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/memorymap"
	"github.com/tflarena/tflarena/lifetime"
)

// TestRun wants XML of a run with names that XML would obey, of an empty one, and of one that
// takes no time.
func TestRun(t *testing.T) {
	odd := Run{
		Title: "a<b&\x1b", Total: 128, Capacity: 160, End: 7,
		Held: []Held{
			{Text: "<weight>", Role: lifetime.RoleWeight, Area: memorymap.Area{From: 1, To: 5, Hi: 64}, Loaded: 3},
			{Text: "resident", Role: lifetime.RoleResident, Area: memorymap.Area{To: 7, Lo: 64, Hi: 128}},
			{Text: "activation", Role: lifetime.RoleActivation, Area: memorymap.Area{From: 5, To: 7, Hi: 32}},
		},
		Loads: []Task{{"load", 1, 3}}, Computes: []Task{{"compute", 3, 5}}, Stalls: []Task{{"waits", 0, 3}},
	}
	for name, r := range map[string]Run{"odd": odd, "empty": {}, "no time": {Total: 1, Held: []Held{{Area: memorymap.Area{Hi: 1}}}, Loads: []Task{{}}}} {
		text := string(svg(r.Page()))
		decoder := xml.NewDecoder(strings.NewReader(text))
		for {
			_, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
			t.Errorf("%s: a place is not a number", name)
		}
	}
	text := string(svg(odd.Page()))
	for want, n := range map[string]int{
		`class="load`: 1, `class="weight`: 1, `class="resident`: 1, `class="activation`: 1, `class="stall`: 1, `class="reading`: 1, `class="busy`: 1, `>budget 160 B<`: 1,
	} {
		if strings.Count(text, want) != n {
			t.Errorf("%d pieces of %s, want %d", strings.Count(text, want), want, n)
		}
	}
}

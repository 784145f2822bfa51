package picture

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// TestRun wants XML of a run with names that XML would obey, of an empty one, and of one that
// takes no time.
func TestRun(t *testing.T) {
	odd := Run{
		Title: "a<b&\x1b", Total: 128, End: 7,
		Held: []Held{
			{Text: "<weight>", Bytes: 64, From: 1, Loaded: 3, To: 5, Weight: true},
			{Text: "resident", Offset: 64, Bytes: 64, To: 7, Resident: true, Weight: true},
			{Text: "activation", Bytes: 32, From: 5, To: 7},
		},
		Loads: []Task{{"load", 1, 3}}, Computes: []Task{{"compute", 3, 5}}, Stalls: []Task{{"waits", 0, 3}},
	}
	for name, r := range map[string]Run{"odd": odd, "empty": {}, "no time": {Total: 1, Held: []Held{{Bytes: 1}}, Loads: []Task{{}}}} {
		svg := string(r.SVG())
		decoder := xml.NewDecoder(strings.NewReader(svg))
		for {
			_, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("%s: a place is no number", name)
		}
	}
	svg := string(odd.SVG())
	// The legend has one of each colour of memory, with no edge, and one of the stalls.
	for want, n := range map[string]int{
		`class="load`: 2, `class="weight`: 2, `class="resident`: 2, `class="activation`: 2, `class="stall`: 2, `class="reading`: 1, `class="busy`: 1,
	} {
		if strings.Count(svg, want) != n {
			t.Errorf("%d pieces of %s, want %d", strings.Count(svg, want), want, n)
		}
	}
}

package picture

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/memorymap"
	"github.com/tflarena/tflarena/lifetime"
)

// drawMemory draws a model that a plan could be of, with names of any kind.
func drawMemory(t *rapid.T) Memory {
	names := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Za-z/_0-9]{0,60}`), rapid.SampledFrom([]string{"</text><script>", "😀名前" + strings.Repeat("W", 200), "a\u202eb\x00"}))
	m := Memory{Title: names.Draw(t, "title")}
	m.Unit, m.Shares = memorymap.Operators, rapid.Bool().Draw(t, "shares")
	m.Below = rapid.SliceOfN(names, 0, 3).Draw(t, "below")
	m.Steps = rapid.SliceOfN(names, 0, 400).Draw(t, "steps")
	for i := range rapid.IntRange(0, 12).Draw(t, "records") {
		first := rapid.IntRange(-1, 410).Draw(t, "first")
		r := lifetime.Record{ID: fmt.Sprint("0:", i), Name: names.Draw(t, "name"), First: first, Last: first + rapid.SampledFrom([]int{0, 1, 30, 400}).Draw(t, "length"), Size: rapid.Int64Range(0, 1<<40).Draw(t, "size")}
		m.Records, m.Roles = append(m.Records, r), append(m.Roles, rapid.SampledFrom([]lifetime.Role{"input", "output", "activation", "scratch", "variable", "constant"}).Draw(t, "role"))
		offset := rapid.Int64Range(0, 1<<40).Draw(t, "offset")
		m.Offsets, m.Total = append(m.Offsets, offset), max(m.Total, offset+r.Size)
	}
	m.LowerBound = rapid.Int64Range(0, m.Total).Draw(t, "bound")
	m.Capacity = rapid.SampledFrom([]int64{0, 1, m.Total / 2, 2 * m.Total}).Draw(t, "capacity")
	return m
}

// Whatever names there are, a drawing is XML, says each tensor once, and no text leaves the page or
// has half a character.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMemory(t)
		page := m.Page()
		data := svg(page)
		if !bytes.Equal(data, svg(m.Page())) || strings.Contains(string(data), "NaN") || strings.Contains(string(data), "Inf") {
			t.Fatalf("two drawings differ, or hold no number:\n%s", data)
		}
		if got := len(parse(t, data, "title")); got != len(m.Records)+1 {
			t.Fatalf("%d titles for %d records", got, len(m.Records))
		}
		keep(t, page, fmt.Sprint(m))
	})
}

// A number is whole or not there, and no name of a tensor lies over another one.
func TestModelLabels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMemory(t)
		inside := map[string]bool{}
		for _, r := range m.Records {
			inside[r.ID] = true
		}
		var placed [][4]float64
		for _, s := range labels(m.Page()) {
			if s.Font != smallFont {
				continue
			}
			x1, y1, x2, y2 := s.Span(s.Font.Long(s.Text))
			for _, r := range placed {
				if x1 < r[2] && r[0] < x2 && y1+3 < r[3] && r[1]+3 < y2 {
					t.Fatalf("%q at %.1f, %.1f lies over another name", s.Text, s.X, s.Y)
				}
			}
			placed = append(placed, [4]float64{x1, y1, x2, y2})
			id, _, _ := strings.Cut(s.Text, " ")
			if !inside[id] {
				t.Fatalf("%q begins with no tensor's number", s.Text)
			}
		}
	})
}

// Where no lower bound is known, as of tensors that share memory, none is named.
func TestModelWithoutBound(t *testing.T) {
	m := Memory{Map: memorymap.Map{Steps: []string{"ADD"}, Total: 3072, Shares: true, Records: []lifetime.Record{{ID: "0:0", Size: 3072}}, Offsets: []int64{0}, Roles: []lifetime.Role{"input"}}}
	for _, page := range []*drawing.Page{m.Page(), Pair{Before: m, After: m}.Page()} {
		if text := string(svg(page)); strings.Contains(text, "bound<") || strings.Contains(text, "lower bound") || !strings.Contains(text, ">total 3,072 B (3.00 KiB)<") {
			t.Error(text)
		}
	}
}

// The plan's texts are complete: a legend of the colours in use only, the peak with its operator, the
// bound, the capacity, and shared memory.
func TestModelSays(t *testing.T) {
	m := Memory{Title: "model", Below: []string{"a note"}, Map: memorymap.Map{
		Steps: []string{"CONV_2D", "ADD"}, Total: 3072, LowerBound: 2048, Capacity: 4096, Shares: true,
		Records: []lifetime.Record{{ID: "0:0", Name: "in", First: 0, Last: 0, Size: 1024}, {ID: "0:1", Name: "out", First: 0, Last: 1, Size: 2048}},
		Offsets: []int64{0, 512}, Roles: []lifetime.Role{"input", "output"},
	}}
	text := string(svg(m.Page()))
	for _, want := range []string{
		">model<", ">a note<", ">model input<", ">model output<", ">shared on purpose<", ">0 CONV_2D<", ">1 ADD<",
		">peak 3,072 B (3.00 KiB) at 0 CONV_2D<", ">lower bound 2,048 B (2.00 KiB)<", ">capacity 4,096 B (4.00 KiB)<", ">total 3,072 B (3.00 KiB)<",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture does not say %s", want)
		}
	}
	if strings.Contains(text, ">activation<") || strings.Count(text, `fill="url(#hatched)"`) != 2 {
		t.Error("the legend has what is not there, or what is shared is not hatched once")
	}
	if wide, narrow := svg((Memory{Map: memorymap.Map{Steps: make([]string, 200)}}).Page()), svg(m.Page()); len(parse(t, wide, "svg")) != 1 || parse(t, wide, "svg")[0].Attrs["width"] == parse(t, narrow, "svg")[0].Attrs["width"] {
		t.Error("a model of many operators has no wider picture")
	}
}

// TestPair: no text of a pair leaves the page, whatever the models are.
func TestPair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Pair{Title: "A and B", Before: drawMemory(t), After: drawMemory(t)}
		page := p.Page()
		keep(t, page, fmt.Sprint(p))
		if got := len(parse(t, svg(page), "title")); got != len(p.Before.Records)+len(p.After.Records)+1 {
			t.Fatalf("%d titles", got)
		}
	})
}

// TestPairScale: a byte is as large in one plan as in the other, each plan is as wide as the page, and the
// legend has what either of them shows.
func TestPairScale(t *testing.T) {
	model := func(role lifetime.Role, size int64, steps int) Memory {
		return Memory{Map: memorymap.Map{
			Steps: make([]string, steps), Records: []lifetime.Record{{ID: "0:0", First: 0, Last: 1, Size: size}}, Offsets: []int64{0}, Roles: []lifetime.Role{role},
			Total: size, LowerBound: size,
		}}
	}
	p := Pair{Before: model("input", 4096, 100), After: model("output", 1024, 10)}
	var tensors []drawing.Rect
	page := p.Page()
	page.Each(func(m drawing.Mark) {
		if r, ok := m.(drawing.Rect); ok && r.Look == tensorLook {
			tensors = append(tensors, r)
		}
	})
	if len(tensors) != 2 || math.Abs(tensors[1].W/tensors[0].W-10) > 1e-6 || tensors[0].X != tensors[1].X || math.Abs(tensors[0].H/tensors[1].H-4) > 1e-6 {
		t.Errorf("%+v", tensors)
	}
	if text := string(svg(page)); !strings.Contains(text, ">model input<") || !strings.Contains(text, ">model output<") {
		t.Error("the legend lacks a colour")
	}
}

// TestExtremeMaps: positions near the limits of int, and roles that no table has, neither hang nor panic,
// and no text leaves the page.
func TestExtremeMaps(t *testing.T) {
	record := func(first, last int) memorymap.Map {
		return memorymap.Map{Total: 8, Records: []lifetime.Record{{ID: "a", First: first, Last: last, Size: 8}}, Offsets: []int64{0}}
	}
	named, other := record(0, math.MaxInt), record(0, 1)
	named.Steps = []string{"ADD", "MUL"}
	other.Roles = []lifetime.Role{"unheard of"}
	for name, m := range map[string]memorymap.Map{"all positions": record(math.MinInt, math.MaxInt), "last step": named, "role": other} {
		page := Memory{Title: name, Map: m}.Page()
		keep(t, page, name)
		if got := len(tensors(t, svg(page))); got != 1 {
			t.Errorf("%s: %d rectangles", name, got)
		}
		var at []float64
		for _, l := range labels(page) {
			if l.Anchor == drawing.Middle {
				at = append(at, l.X)
			}
		}
		for i := 1; i+1 < len(at); i++ { // the last one is the title of the axis
			if at[i] <= at[i-1] {
				t.Errorf("%s: a position is written at %v, behind the one at %v", name, at[i], at[i-1])
			}
		}
	}
}

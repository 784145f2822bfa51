package picture

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/lifetime"
)

// drawModel draws a model that a plan could be of, with names of any kind.
func drawModel(t *rapid.T) Model {
	names := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Za-z/_0-9]{0,60}`), rapid.SampledFrom([]string{"</text><script>", "😀名前" + strings.Repeat("W", 200), "a\u202eb\x00"}))
	m := Model{Title: names.Draw(t, "title"), Shares: rapid.Bool().Draw(t, "shares")}
	m.Below = rapid.SliceOfN(names, 0, 3).Draw(t, "below")
	m.Steps = rapid.SliceOfN(names, 0, 400).Draw(t, "steps")
	for i := range rapid.IntRange(0, 12).Draw(t, "records") {
		first := rapid.IntRange(-1, 410).Draw(t, "first")
		r := lifetime.Record{ID: fmt.Sprint("0:", i), Name: names.Draw(t, "name"), First: first, Last: first + rapid.SampledFrom([]int{0, 1, 30, 400}).Draw(t, "length"), Size: rapid.Int64Range(0, 1<<40).Draw(t, "size")}
		m.Records, m.Roles = append(m.Records, r), append(m.Roles, rapid.SampledFrom([]string{"input", "output", "activation", "scratch", "variable", "constant"}).Draw(t, "role"))
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
		m := drawModel(t)
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
		m := drawModel(t)
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
	m := Model{Steps: []string{"ADD"}, Total: 3072, Shares: true, Records: []lifetime.Record{{ID: "0:0", Size: 3072}}, Offsets: []int64{0}, Roles: []string{"input"}}
	for _, page := range []*drawing.Page{m.Page(), Pair{Before: m, After: m}.Page()} {
		if text := string(svg(page)); strings.Contains(text, "bound<") || strings.Contains(text, "lower bound") || !strings.Contains(text, ">total 3,072 B (3.00 KiB)<") {
			t.Error(text)
		}
	}
}

// The plan's texts are complete: a legend of the colours in use only, the peak with its operator, the
// bound, the capacity, and shared memory.
func TestModelSays(t *testing.T) {
	m := Model{
		Title: "model", Below: []string{"a note"}, Steps: []string{"CONV_2D", "ADD"}, Total: 3072, LowerBound: 2048, Capacity: 4096, Shares: true,
		Records: []lifetime.Record{{ID: "0:0", Name: "in", First: 0, Last: 0, Size: 1024}, {ID: "0:1", Name: "out", First: 0, Last: 1, Size: 2048}},
		Offsets: []int64{0, 512}, Roles: []string{"input", "output"},
	}
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
	if wide, narrow := svg((Model{Steps: make([]string, 200)}).Page()), svg(m.Page()); len(parse(t, wide, "svg")) != 1 || parse(t, wide, "svg")[0].Attrs["width"] == parse(t, narrow, "svg")[0].Attrs["width"] {
		t.Error("a model of many operators has no wider picture")
	}
}

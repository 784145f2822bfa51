package picture

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/memorymap"
	"github.com/tflarena/tflarena/lifetime"
)

func sample() Memory {
	return Memory{Title: "a <model> & its plan", Map: memorymap.Map{
		Unit: memorymap.Operators,
		Records: []lifetime.Record{
			{ID: "0:1", Name: "conv/\x1bRelu", First: 0, Last: 1, Size: 4096},
			{ID: "b\"2", First: 1, Last: 2, Size: 1024},
		},
		Offsets: []int64{0, 4096}, Total: 5120, LowerBound: 5000,
	}}
}

func TestSVG(t *testing.T) {
	data := svg(sample().Page())
	if !bytes.Equal(data, svg(sample().Page())) {
		t.Error("two drawings of one map differ")
	}
	titles := parse(t, data, "title")
	if len(titles) != 3 || !strings.HasPrefix(titles[0].Text, "a <model> & its plan") {
		t.Fatalf("titles %+v", titles)
	}
	if want := "0:1 conv/\\x1bRelu\n4,096 B (4.00 KiB) at 0x0..0x1000\noperators 0 to 1"; titles[1].Text != want {
		t.Errorf("got %q, want %q", titles[1].Text, want)
	}
	rects := tensors(t, data)
	if len(rects) != 2 {
		t.Fatalf("%d rectangles, want 2", len(rects))
	}
	// The second tensor lies above the first, and both start where their time does.
	first, second := rects[0].Attrs, rects[1].Attrs
	if first["x"] != "110.00" || first["y"] != "212.83" || first["height"] != "347.17" || second["y"] != "126.04" || second["height"] != "86.79" {
		t.Errorf("first %v, second %v", first, second)
	}
	if !strings.Contains(string(data), ">lower bound 5,000 B") {
		t.Error("no line for the lower bound")
	}
}

func TestSVGIsAlwaysXML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Memory{Title: rapid.String().Draw(t, "title")}
		for range rapid.IntRange(0, 5).Draw(t, "records") {
			first := rapid.SampledFrom([]int{math.MinInt / 2, -9, 0, 3, math.MaxInt / 8, math.MaxInt/8 + 256, math.MaxInt / 4}).Draw(t, "first")
			r := lifetime.Record{
				ID: rapid.String().Draw(t, "id"), Name: string(rapid.SliceOf(rapid.Byte()).Draw(t, "name")),
				First: first, Last: first + rapid.SampledFrom([]int{0, 1, 20, math.MaxInt >> 23, math.MaxInt / 8}).Draw(t, "length"), Size: rapid.Int64Range(0, 1<<40).Draw(t, "size"),
			}
			m.Records = append(m.Records, r)
			m.Offsets = append(m.Offsets, m.Total)
			m.Total += r.Size
		}
		data := svg(m.Page())
		if got := len(tensors(t, data)); got != len(m.Records) {
			t.Fatalf("%d rectangles for %d records", got, len(m.Records))
		}
		if len(data) > 20000 || strings.Contains(string(data), "NaN") || strings.Contains(string(data), "Inf") {
			t.Fatalf("%d bytes:\n%s", len(data), data)
		}
	})
}

func TestPositionLabels(t *testing.T) {
	for _, c := range []struct {
		first, last int
		want        string
	}{{0, 3, "0 1 2 3"}, {-1, 2, "-1 0 1 2"}, {-7, 90, "-5 0 5 10"}, {13, 900, "50 100 150"}} {
		m := Memory{Map: memorymap.Map{Records: []lifetime.Record{{ID: "a", First: c.first, Last: c.last, Size: 1}}, Offsets: []int64{0}, Total: 1}}
		var labels []string
		for _, e := range parse(t, svg(m.Page()), "text") {
			if e.Attrs["text-anchor"] == "middle" {
				labels = append(labels, e.Text)
			}
		}
		if got := strings.Join(labels, " "); !strings.HasPrefix(got, c.want+" ") {
			t.Errorf("%d to %d: %s, want %s ...", c.first, c.last, got, c.want)
		}
	}
}

// However thin a tensor is, it can be seen, its colour is not covered by a white line
// around it, and it stays in the frame; one without bytes takes no room.
func TestThinRectangles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		last := rapid.SampledFrom([]int{3, 500, 100000, math.MaxInt / 8}).Draw(t, "last")
		total := rapid.SampledFrom([]int64{20, 5000, 1 << 40}).Draw(t, "total")
		m := Memory{Map: memorymap.Map{Total: total, LowerBound: total}}
		for range 8 {
			r := lifetime.Record{ID: "x", First: rapid.IntRange(0, last).Draw(t, "first")}
			r.Last = min(r.First+rapid.IntRange(0, 3).Draw(t, "length"), last)
			offset := rapid.Int64Range(0, total).Draw(t, "offset")
			r.Size = min(rapid.Int64Range(0, total).Draw(t, "size"), total-offset)
			m.Records, m.Offsets = append(m.Records, r), append(m.Offsets, offset)
		}
		page := m.Page()
		for i, e := range tensors(t, svg(page)) {
			x, y, w, h := number(t, e, "x"), number(t, e, "y"), number(t, e, "width"), number(t, e, "height")
			if w < 1 || h < 1 && m.Records[i].Size > 0 || h != 0 && m.Records[i].Size == 0 {
				t.Fatalf("size %d: %v by %v", m.Records[i].Size, w, h)
			}
			if thin := strings.Contains(e.Attrs["class"], "thin"); math.Abs(w-3) > 0.01 && math.Abs(h-3) > 0.01 && thin != (w < 3 || h < 3) {
				t.Fatalf("%v by %v: class %q", w, h, e.Attrs["class"])
			}
			const rounding = 0.03
			if x < left || x+w > page.Width-right+rounding || y < top-rounding || y+h > height-bottom+1+rounding {
				t.Fatalf("%v, %v, %v by %v is outside the frame", x, y, w, h)
			}
		}
	})
}

// tensors returns the rectangles of tensors.
func tensors(t interface{ Fatalf(string, ...any) }, data []byte) (list []element) {
	for _, e := range parse(t, data, "rect") {
		if strings.HasPrefix(e.Attrs["class"], "tensor") {
			list = append(list, e)
		}
	}
	return list
}

func number(t *rapid.T, e element, attr string) float64 {
	v, err := strconv.ParseFloat(e.Attrs[attr], 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Labels of positions, however long, neither touch each other nor leave the page.
func TestPositionLabelsHaveRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.SampledFrom([]int{math.MinInt / 2, -1000000007, -3, 0, 99999, math.MaxInt / 4}).Draw(t, "first")
		span := rapid.SampledFrom([]int{0, 1, 7, 30, 2300, math.MaxInt / 8, math.MaxInt / 2}).Draw(t, "span")
		m := Memory{Map: memorymap.Map{Unit: memorymap.Operators, Records: []lifetime.Record{{ID: "a", First: first, Last: first + span, Size: 1}}, Offsets: []int64{0}, Total: 1}}
		end := 0.0
		page := m.Page()
		for _, e := range parse(t, svg(page), "text") {
			if e.Attrs["text-anchor"] != "middle" || e.Text == "operator position" {
				continue
			}
			const digit = 7 // wider than that of any font a browser takes
			x, half := number(t, e, "x"), float64(len(e.Text))*digit/2
			if x-half < end || x+half > page.Width {
				t.Fatalf("label %s at %v: the one before ends at %v", e.Text, x, end)
			}
			end = x + half
		}
	})
}

func TestNiceStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.Float64Range(1e-3, 1e18).Draw(t, "most")
		count := rapid.IntRange(2, 30).Draw(t, "count")
		step := niceStep(most, count)
		if steps := most / step; steps > float64(count)*(1+1e-9) || steps < float64(count)/2.6 {
			t.Fatalf("%g: step %g makes %g steps, want at most %d", most, step, steps, count)
		}
	})
	if niceStep(0, 5) != 1 || math.IsNaN(niceStep(-1, 5)) {
		t.Error("nothing to divide")
	}
}

// TestWindows: a record with gaps is drawn as what it holds, time by time.
func TestWindows(t *testing.T) {
	m := Memory{Map: memorymap.Map{Records: []lifetime.Record{{
		ID: "x", First: 0, Last: 5, Size: 100,
		Gaps: []lifetime.Gap{{First: 2, Last: 2}, {First: 4, Last: 5, Lo: 50, Hi: 100}},
	}}, Offsets: []int64{0}, Total: 100, LowerBound: 100}}
	rects := tensors(t, svg(m.Page()))
	if len(rects) != 3 {
		t.Fatalf("%d rectangles, want 3: there is none where nothing is held", len(rects))
	}
	if whole, half := rects[0].Attrs["height"], rects[2].Attrs["height"]; whole == half || rects[0].Attrs["fill"] != rects[2].Attrs["fill"] {
		t.Errorf("heights %s and %s, colours %s and %s", whole, half, rects[0].Attrs["fill"], rects[2].Attrs["fill"])
	}
}

// TestTrace: a map of a trace has events below, shows requesters instead of addresses, and the blocks
// of a function have the same colour, which a legend explains.
func TestTrace(t *testing.T) {
	m := Memory{Title: "trace", Map: memorymap.Map{Unit: memorymap.Events, Total: 300, LowerBound: 300, Offsets: []int64{0, 100, 200}, Records: []lifetime.Record{
		{ID: "0x7f0000000000", Name: "forward", First: 0, Last: 1_999_999, Size: 100},
		{ID: "0x7f0000000200", First: 0, Last: 100_000, Size: 100}, // too narrow for the address
		{ID: "0x7f0000000400", Name: "forward", First: 1_000_000, Last: 1_999_999, Size: 100},
	}}}
	data := svg(m.Page())
	for _, want := range []string{">forward<", ">event<", ">1,000,000<", "total 300 B", "events 0 to 100000"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the drawing lacks %q", want)
		}
	}
	if strings.Contains(string(data), "…") {
		t.Error("an address is cut")
	}
	var fills, legend []string
	for _, e := range parse(t, data, "rect") {
		switch class := e.Attrs["class"]; {
		case strings.HasPrefix(class, "tensor"):
			fills = append(fills, e.Attrs["fill"])
		case class == "swatch":
			legend = append(legend, e.Attrs["fill"])
		}
	}
	if len(fills) != 3 || fills[0] != fills[2] || fills[0] == fills[1] {
		t.Error(fills)
	}
	if len(fills) == 3 && !slices.Equal(legend, fills[:2]) || !strings.Contains(string(data), ">(no stack recorded)<") {
		t.Errorf("the legend has the colours %v, want %v", legend, fills[:2])
	}
}

// TestTraceLoad: the curve below a trace is of all its blocks, also of those that are not drawn. It has as
// many points as can be told apart, and no peak is lost.
func TestTraceLoad(t *testing.T) {
	m := Memory{Below: []string{"planned by best-fit"}, Map: memorymap.Map{Unit: memorymap.Events, Total: 10, LowerBound: 9, Records: []lifetime.Record{{ID: "a", Last: 999, Size: 1}}, Offsets: []int64{0}}}
	const sections = 200_000
	for i := range sections {
		m.Load = append(m.Load, lifetime.Section{First: 5 * i, Last: 5*i + 4, Breadth: int64(i%3 + 1)})
	}
	m.Load[77_777].Breadth = 9
	page := m.Page()
	keep(t, page, "")
	points, highest := 0, math.Inf(1)
	page.Each(func(mark drawing.Mark) {
		if p, ok := mark.(drawing.Path); ok && p.Look == loadLook {
			for _, part := range p.Parts {
				points += len(part)
				for _, point := range part {
					highest = min(highest, point.Y)
				}
			}
		}
	})
	if points < 1000 || points > 20_000 {
		t.Errorf("%d points for %d sections", points, sections)
	}
	data := string(svg(page))
	if !strings.Contains(data, ">peak 9 B at event 388,885<") || !strings.Contains(data, ">planned by best-fit<") {
		t.Error("neither peak nor strategy")
	}
	var bound float64
	for _, e := range parse(t, []byte(data), "line") {
		if strings.Contains(e.Attrs["class"], "bound") {
			y, _ := strconv.ParseFloat(e.Attrs["y1"], 64)
			bound = max(bound, y) // the map above has one, too
		}
	}
	if math.Abs(highest-bound) > 0.02 {
		t.Errorf("the peak is at %v, and the bound, which is equal, at %v", highest, bound)
	}
}

// TestTraceWithoutStacks: without recorded requesters there is no legend.
func TestTraceWithoutStacks(t *testing.T) {
	m := Memory{Map: memorymap.Map{Unit: memorymap.Events, Total: 1, Offsets: []int64{0}, Records: []lifetime.Record{{ID: "a", Size: 1}}}}
	if data := string(svg(m.Page())); strings.Contains(data, "no stack recorded") || strings.Contains(data, `class="swatch`) {
		t.Error("a legend without a stack")
	}
}

// TestTraceLegend: the legend begins with those that hold the most bytes for the longest, and stays on the page.
func TestTraceLegend(t *testing.T) {
	m := Memory{Map: memorymap.Map{Unit: memorymap.Events, Total: 1000}}
	for i := range 40 {
		m.Records = append(m.Records, lifetime.Record{ID: strconv.Itoa(i), Name: "function" + strconv.Itoa(i) + "\x1b", First: 0, Last: i, Size: int64(10 + i)})
		m.Offsets = append(m.Offsets, 0)
	}
	page := m.Page()
	keep(t, page, "")
	var words []string
	for _, l := range labels(page) {
		if strings.HasPrefix(l.Text, "function") && l.Font == mutedFont {
			words = append(words, l.Text)
		}
	}
	if len(words) < 5 || words[0] != `function39\x1b` || words[1] != `function38\x1b` {
		t.Error(words)
	}
}

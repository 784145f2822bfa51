package export

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
)

// readTrace reads a trace back.
func readTrace(t *testing.T, p *Plan) (events []traceEvent) {
	t.Helper()
	var trace struct {
		Events []traceEvent `json:"traceEvents"`
	}
	if err := json.Unmarshal([]byte(written(t, "trace", p)), &trace); err != nil {
		t.Fatal(err)
	}
	return trace.Events
}

// A trace has every tensor at its offset and its time, slices of a track do not overlap, and its
// counter reaches what is alive at the peak.
func TestTrace(t *testing.T) {
	for _, approach := range []alloc.Approach{alloc.Offsets, alloc.Shared} {
		p := modelled(t, approach)
		q, err := p.inOffsets()
		if err != nil {
			t.Fatal(err)
		}
		ends, tensors, peak, steps := map[int]float64{}, map[string]traceEvent{}, 0.0, 0
		for _, e := range readTrace(t, p) {
			args, _ := e.Args.(map[string]any)
			switch {
			case e.Phase == traceCounter && e.Name == "bytes alive":
				peak = max(peak, args["bytes"].(float64))
			case e.Phase == traceSlice:
				if e.Time < ends[e.Thread] || e.Duration <= 0 {
					t.Errorf("track %d: %+v begins before %g, or takes no time", e.Thread, e, ends[e.Thread])
				}
				if ends[e.Thread] = e.Time + e.Duration; e.Thread == traceOperators {
					steps++
				} else {
					tensors[args["id"].(string)] = e
				}
			}
		}
		if want := float64(lifetime.Peak(p.Records).Breadth); peak != want || steps != len(p.Model.Steps) || len(tensors) != len(p.Records) {
			t.Errorf("%s: the peak is %g, want %g; %d steps, %d tensors", approach, peak, want, steps, len(tensors))
		}
		for i, r := range p.Records {
			e := tensors[r.ID]
			args := e.Args.(map[string]any)
			if args["offset_bytes"] != float64(q.Places.Offsets[i]) || args["size_bytes"] != float64(r.Size) || e.Time != float64(r.First)*traceStep || e.Duration != float64(r.Last+1-r.First)*traceStep {
				t.Errorf("%s of %+v: %+v", approach, r, e)
			}
		}
	}
}

// A gap in which nothing is held is no slice, and positions may be anywhere.
func TestTraceOfProblem(t *testing.T) {
	p := &Plan{
		Places: &alloc.Plan{Approach: alloc.Offsets, Offsets: []int64{0, 0}, Total: 8},
		Records: []lifetime.Record{
			{ID: "a", First: -3, Last: 9, Size: 8, Gaps: []lifetime.Gap{{First: 0, Last: 4}}},
			{ID: "b", First: math.MaxInt / 2, Last: math.MaxInt - 1, Size: 8},
		},
	}
	var slices []traceEvent
	for _, e := range readTrace(t, p) {
		if e.Phase == traceSlice {
			slices = append(slices, e)
		}
	}
	if len(slices) != 3 || slices[0].Time != 0 || slices[0].Duration != 3*traceStep || slices[1].Time != 8*traceStep || slices[2].Duration <= 0 {
		t.Errorf("%+v", slices)
	}
}

// Node data has the bytes alive at each operator, the most of several runs, and a colour for every
// value; a plan without operators has none.
func TestExplorer(t *testing.T) {
	p := modelled(t, alloc.Offsets)
	var graphs map[string]nodeData
	if err := json.Unmarshal([]byte(written(t, "model-explorer", p)), &graphs); err != nil {
		t.Fatal(err)
	}
	want := map[string]int64{"0": 104, "1": 104}
	main := graphs["main"]
	if len(graphs) != 1 || len(main.Results) != len(want) {
		t.Fatalf("%+v", graphs)
	}
	for key, bytes := range want {
		if main.Results[key].Value != bytes {
			t.Errorf("operator %s: %+v, want %d", key, main.Results[key], bytes)
		}
	}
	last := int64(-1)
	for _, h := range main.Thresholds {
		if h.Value <= last || len(h.Colour) != len("#rrggbb") {
			t.Errorf("%+v behind %d", h, last)
		}
		last = h.Value
	}
	if last != lifetime.Peak(p.Records).Breadth {
		t.Errorf("the last colour is for %d", last)
	}
	p.Model.Nodes = nil
	if err := Write(io.Discard, "model-explorer", p); !errors.Is(err, ErrPlan) {
		t.Error(err)
	}
	if got := thresholds(0); len(got) != 1 || thresholds(math.MaxInt64)[0].Value < 0 {
		t.Errorf("%+v", got)
	}
}

// modelled returns a plan of a few tensors of a model with two operators, of which the second runs
// twice.
func modelled(t *testing.T, a alloc.Approach) *Plan {
	p := solved(t, a)
	p.Model = &Model{Steps: []string{"enter", "CONV_2D", "ADD", "ADD"}, Nodes: []Node{{"main", -1}, {"main", 0}, {"main", 1}, {"main", 1}}}
	for range p.Records {
		p.Model.Roles = append(p.Model.Roles, lifetime.RoleActivation)
	}
	return p
}

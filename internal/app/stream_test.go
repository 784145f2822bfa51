package app_test

import (
	"errors"
	"maps"
	"math"
	"testing"
	"time"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/litert"
	streamnet "github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/internal/testkit/streaming"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/segment"
	"github.com/tflarena/tflarena/tflite/op"
)

// The least budget has a plan and a smaller one has none, with a reason. The latency of a plan can
// be reached, and no run takes less than its bound.
func TestStream(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := streaming.Network(t, 5)
		solve := func(o app.StreamOptions) *app.Streamed {
			o.Strategy = stream.Best
			r, err := app.Stream(t.Context(), "net", "times", net, o)
			if err != nil {
				t.Fatal(err)
			}
			if (r.Plan == nil) != (r.None != nil) || r.Feasible != (r.Plan != nil) || r.Input != "net" || r.Times != "times" {
				t.Fatalf("%+v", r)
			}
			return r
		}
		least := solve(app.StreamOptions{Budget: 1 << 40}).LeastBudgetBytes
		if less := solve(app.StreamOptions{Budget: max(least-1, 0)}); less.LeastBudgetProven && least > 0 && less.Plan != nil {
			t.Error("there is a plan below the least budget")
		}
		first := solve(app.StreamOptions{Budget: least})
		if first.Plan == nil || first.PeakBytes > least {
			t.Fatalf("no plan within %d B: %v", least, first.None)
		}
		if again := solve(app.StreamOptions{ForLatency: true, Latency: first.Plan.Latency}); again.Plan == nil || again.Plan.Latency > first.Plan.Latency || again.BudgetBytes < max(again.PeakBytes, again.LeastForLatencyBytes) {
			t.Errorf("%v in %d B, and then %+v", first.Plan.Latency, least, again.Stream)
		}
		if none := solve(app.StreamOptions{ForLatency: true, Latency: first.Plan.LowerBound - time.Second}); none.Plan != nil {
			t.Errorf("a run in %v", none.Plan.Latency)
		}
	})
}

// The page of a model has its operators, and each tensor that they make or read in memory is there once. Other
// networks have layers with names.
func TestStreamPage(t *testing.T) {
	m := builtin.Model(t, "blazeface")
	o := app.StreamOptions{Options: stream.Options{Strategy: stream.Best}, Budget: 2 << 20, Rates: litert.Rates{MACs: 30e9, Bytes: 200 << 20}}
	r, err := app.StreamModel(t.Context(), m, "", o)
	if err != nil || r.Plan == nil {
		t.Fatal(err)
	}
	g := r.Page().Graphs[0]
	ids := map[string]int{}
	for _, x := range g.Tensors {
		if ids[x.ID]++; ids[x.ID] > 1 || x.Role != lifetime.RoleIntermediate && (x.DType == "" || x.Shape == nil) {
			t.Errorf("%+v", x)
		}
	}
	var macs int64
	for i, x := range g.Operators {
		macs += x.MACs
		for _, id := range append(slices.Clone(x.Outputs), x.Inputs...) {
			if id != "" && ids[id] == 0 {
				t.Errorf("operator %d has %s, which is not in memory", i, id)
			}
		}
	}
	if want := op.RunMACs(r.Model, 0); macs != want || g.MACs != want || macs == 0 {
		t.Errorf("%d and %d MACs, %d wanted", macs, g.MACs, want)
	}
	r.Model = nil
	for i, x := range r.Page().Graphs[0].Operators {
		if x.Name == "" || x.MACs != 0 {
			t.Errorf("layer %d: %+v", i, x)
		}
	}
}

// Layers are sliced only above a size, and the note says how many.
func TestSliceLayers(t *testing.T) {
	m := builtin.Model(t, "mobilenet-v1")
	for _, o := range []app.StreamOptions{{}, {Slice: 1 << 40}, {Slice: 1 << 20}} {
		o.Rates = litert.Rates{Bytes: 1e8, MACs: 1e9}
		sliced, notes, err := o.SliceLayers(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		more := len(sliced.Subgraphs[0].Operators) - len(m.Subgraphs[0].Operators)
		if (more > 0) != (o.Slice == 1<<20) || len(notes) != min(int(o.Slice), 1) || len(notes) > 0 && notes[0].Kind != results.NoteSliced {
			t.Errorf("%d B: %d more operators, %v", o.Slice, more, notes)
		}
	}
}

// The scratch of each kernel is in memory while its operator computes, also that of slices.
func TestStreamScratch(t *testing.T) {
	device, err := rules.UsualDevice("esp-nn-s3")
	if err != nil {
		t.Fatal(err)
	}
	m := builtin.Model(t, "blazeface-int8")
	for _, slice := range []int64{0, 16 << 10} {
		o := app.StreamOptions{Slice: slice, Rates: litert.Rates{Bytes: 1e8, MACs: 1e9}, Scratch: device.Requests}
		sliced, _, err := o.SliceLayers(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		net, err := o.Layers(sliced)
		if err != nil {
			t.Fatal(err)
		}
		requested, counted := map[string]int64{}, map[string]int64{}
		for _, q := range device.Requests(sliced) {
			requested[sliced.Subgraphs[0].Operators[q.Operator].Name] += q.Bytes
		}
		for _, x := range net.Tensors {
			if x.Kind == streamnet.Intermediate {
				counted[net.Layers[x.First].Name] += x.Size
			}
		}
		if requested["CONV_2D"] == 0 || !maps.Equal(requested, counted) {
			t.Errorf("%v are requested, %v counted", requested, counted)
		}
	}
}

// A model that cannot be cut is an error, and a budget that is too small is none.
func TestStreamSegments(t *testing.T) {
	o := app.StreamOptions{Rates: litert.Rates{Bytes: 1e8, MACs: 1e9}, Options: stream.Options{Strategy: stream.Best}}
	if _, err := app.StreamSegments(t.Context(), modelfile.Parse(t, custom()), "", false, o); err != nil && !errors.Is(err, segment.ErrModel) {
		t.Error(err)
	}
	m := builtin.Model(t, "blazeface")
	for _, budget := range []int64{16, 1 << 40} {
		o.Budget = budget
		r, err := app.StreamSegments(t.Context(), m, "", false, o)
		if err != nil || (r.Plan != nil) != (budget > 16) || (r.None == nil) != (r.Plan != nil) {
			t.Fatalf("%+v %v", r, err)
		}
		if r.Plan != nil && (r.Segments != len(r.Files.Segments) || r.PeakBytes > budget || len(r.Notes) == 0) {
			t.Errorf("%+v", r.Stream)
		}
	}
}

// Without a size, layers are cut only where no plan has them whole, and the choice by time is within a percent of the
// fastest of the sizes that are tried: so more budget makes no run more than a percent longer.
func TestSlicesChosen(t *testing.T) {
	m := modelfile.Parse(t, network.Pointwise(32, 64, 256, 48, 16))
	plan := func(budget, slice int64, faster bool) *app.Streamed {
		o := app.StreamOptions{Budget: budget, Slice: slice, Faster: faster, Rates: litert.Rates{Bytes: 1e8, MACs: 1e8}}
		o.Strategy, o.SearchNodes = stream.Best, 2000
		r, err := app.StreamModel(t.Context(), m, "", o)
		if err != nil {
			t.Fatal(err)
		}
		if r.Plan != nil && r.PeakBytes > budget {
			t.Errorf("%d B in a budget of %d B", r.PeakBytes, budget)
		}
		return r
	}
	sliced := func(r *app.Streamed) bool {
		return slices.ContainsFunc(r.Notes, func(n results.Note) bool { return n.Kind == results.NoteSliced })
	}
	least := plan(1<<30, 0, false).LeastBudgetBytes
	if r := plan(least, 0, false); r.Plan == nil || sliced(r) {
		t.Errorf("layers are cut in %d B, which has a plan for whole ones", least)
	}
	if r := plan(least-1, 0, false); r.Plan == nil || !sliced(r) {
		t.Errorf("no slices in %d B: %v", least-1, r.None)
	}
	if r := plan(1000, 0, false); r.Plan != nil || r.LeastBudgetBytes > least {
		t.Errorf("%+v in 1000 B", r.Stream)
	}
	const percent = 1.01
	longest := math.Inf(1)
	for _, budget := range []int64{least / 2, least - 1, least + least/4, 1 << 30} {
		chosen := plan(budget, 0, true)
		if chosen.Plan == nil {
			continue
		}
		for size := litert.LargestWeights(m) / 2; size > litert.LargestWeights(m)/16; size /= 2 {
			if r := plan(budget, size, false); r.Plan != nil && chosen.LatencyMS > percent*r.LatencyMS {
				t.Errorf("%.3f ms in %d B, and %.3f ms in slices of %d B", chosen.LatencyMS, budget, r.LatencyMS, size)
			}
		}
		if chosen.LatencyMS > percent*longest {
			t.Errorf("%.3f ms in %d B, and %.3f ms in less", chosen.LatencyMS, budget, longest)
		}
		longest = min(longest, chosen.LatencyMS)
	}
	if math.IsInf(longest, 1) {
		t.Error("no plan")
	}
}

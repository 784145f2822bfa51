package app_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/litert"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/streaming"
	"github.com/tflarena/tflarena/rewrite/segment"
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

// A model that cannot be cut is an error, and a budget that is too small is none.
func TestStreamSegments(t *testing.T) {
	o := app.StreamOptions{Rates: litert.Rates{Bytes: 1e8, MACs: 1e9}, Options: stream.Options{Strategy: stream.Best}}
	if _, _, err := app.StreamSegments(t.Context(), modelfile.Parse(t, custom()), "", false, o); err != nil && !errors.Is(err, segment.ErrModel) {
		t.Error(err)
	}
	m := builtin.Model(t, "blazeface")
	for _, budget := range []int64{16, 1 << 40} {
		o.Budget = budget
		r, plan, err := app.StreamSegments(t.Context(), m, "", false, o)
		if err != nil || (r.Plan != nil) != (budget > 16) || (r.None == nil) != (r.Plan != nil) {
			t.Fatalf("%+v %v", r, err)
		}
		if r.Plan != nil && (r.Segments != len(plan.Segments) || r.PeakBytes > budget || len(r.Notes) == 0) {
			t.Errorf("%+v", r.Stream)
		}
	}
}

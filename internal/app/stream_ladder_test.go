package app_test

import (
	"context"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/check"
	"github.com/tflarena/tflarena/alloc/stream/litert"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/internal/testkit/streaming"
)

// failer is what the tests of ladders need of [testing.T] and [rapid.T].
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkLadder fails unless there is a right plan of one network for each budget, and none is worse than one of a smaller
// budget or than its bound.
func checkLadder(t failer, list []*app.Streamed, budgets []int64) {
	t.Helper()
	if len(list) != len(budgets) {
		t.Fatalf("%d plans for %d budgets: %v", len(list), len(budgets), list[0].None)
	}
	for i, r := range list {
		if err := check.Placement(r.Network, r.Plan.Placement, budgets[i]); err != nil {
			t.Fatalf("%d B: %v", budgets[i], err)
		}
		if err := check.Run(r.Network, r.Plan.Placement, r.Plan.Waits, r.Plan.Timeline); err != nil {
			t.Fatalf("%d B: %v", budgets[i], err)
		}
		switch smaller := list[max(i-1, 0)]; {
		case r.BudgetBytes != budgets[i] || r.Plan.Budget != budgets[i] || r.PeakBytes > budgets[i]:
			t.Fatalf("%d B of %d B, in a budget of %d B", r.PeakBytes, r.BudgetBytes, budgets[i])
		case !reflect.DeepEqual(r.Network, list[0].Network):
			t.Fatalf("%d B: another network than in %d B", budgets[i], budgets[0])
		case r.Plan.Latency > smaller.Plan.Latency || r.Plan.LowerBound > r.Plan.Latency || r.Plan.LowerBound > smaller.Plan.LowerBound:
			t.Fatalf("%d B: %v, at least %v, after %v", budgets[i], r.Plan.Latency, r.Plan.LowerBound, smaller.Plan.Latency)
		case len(budgets) > 1 && (r.OwnLatencyMS == 0) != (r.LatencyMS == 0):
			t.Fatalf("%d B: %v ms, %v ms alone", budgets[i], r.LatencyMS, r.OwnLatencyMS)
		}
	}
}

// Random networks have a plan for each budget from the least one, not slower than for the budget alone, and no plans if the
// smallest budget has none.
func TestStreamLadder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := streaming.Network(t, 8)
		own := func(ctx context.Context, o app.StreamOptions) (*app.Streamed, error) {
			return app.Stream(ctx, "net", "times", net, o)
		}
		least, err := stream.Least(t.Context(), net)
		if err != nil {
			t.Fatal(err)
		}
		o := app.StreamOptions{Options: stream.Options{Strategy: stream.Best, SearchNodes: 300}}
		budgets := []int64{least.Bytes}
		for range rapid.IntRange(0, 3).Draw(t, "more budgets") {
			last := budgets[len(budgets)-1]
			budgets = append(budgets, last+rapid.Int64Range(1, 1+stream.Whole(net)/2).Draw(t, "more bytes"))
		}
		list, err := app.StreamLadder(t.Context(), budgets, o, own)
		if err != nil {
			t.Fatal(err)
		}
		checkLadder(t, list, budgets)
		for _, r := range list {
			if len(list) > 1 && r.LatencyMS > r.OwnLatencyMS {
				t.Fatalf("%v ms, and %v ms for the budget alone", r.LatencyMS, r.OwnLatencyMS)
			}
		}
		if least.Bytes > 0 && least.Optimal {
			list, err := app.StreamLadder(t.Context(), append([]int64{least.Bytes - 1}, budgets...), o, own)
			if err != nil || len(list) != 1 || list[0].Plan != nil || list[0].None == nil {
				t.Fatalf("%d plans and %v, with %d B", len(list), err, least.Bytes-1)
			}
		}
	})
}

// Layers are cut for the smallest budget, and the larger ones have the same slices, which cost nothing but time.
func TestStreamLadderSlices(t *testing.T) {
	m := modelfile.Parse(t, network.Pointwise(32, 64, 256, 48, 16))
	o := app.StreamOptions{Rates: litert.Rates{Bytes: 1e8, MACs: 1e8}, Options: stream.Options{Strategy: stream.Best, SearchNodes: 2000}}
	own := func(ctx context.Context, o app.StreamOptions) (*app.Streamed, error) {
		return app.StreamModel(ctx, m, "", o)
	}
	o.Budget = 1 << 30
	whole, err := own(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	budgets := []int64{whole.LeastBudgetBytes - 1, whole.LeastBudgetBytes, 1 << 30}
	list, err := app.StreamLadder(t.Context(), budgets, o, own)
	if err != nil {
		t.Fatal(err)
	}
	checkLadder(t, list, budgets)
	if last := list[2]; len(last.Network.Layers) <= len(whole.Network.Layers) || last.OwnLatencyMS != whole.LatencyMS || !reflect.DeepEqual(last.Notes, list[0].Notes) {
		t.Errorf("%d layers, %d alone; %v ms alone, not %v ms; notes %v", len(last.Network.Layers), len(whole.Network.Layers), last.OwnLatencyMS, whole.LatencyMS, last.Notes)
	}
}

// All budgets share segments. Each keeps as much as its plan says.
func TestStreamLadderSegments(t *testing.T) {
	m := builtin.Model(t, "squeezenet-1.1")
	o := app.StreamOptions{Rates: litert.Rates{Bytes: 1e8, MACs: 5e9}, Options: stream.Options{Strategy: stream.Best, SearchNodes: 2000}}
	own := func(ctx context.Context, o app.StreamOptions) (*app.Streamed, error) {
		return app.StreamSegments(ctx, m, "", false, o)
	}
	budgets := []int64{14 << 20, 15 << 20, 1 << 30}
	list, err := app.StreamLadder(t.Context(), budgets, o, own)
	if err != nil {
		t.Fatal(err)
	}
	checkLadder(t, list, budgets)
	for i, r := range list {
		if r.Files.Stream != r.Plan || r.Files.Held() != r.PeakBytes || !reflect.DeepEqual(r.Files.Segments, list[0].Files.Segments) {
			t.Errorf("%d B: %d B held, %d B printed", budgets[i], r.Files.Held(), r.PeakBytes)
		}
	}
	if list[0].Plan.Read == 0 || list[2].Plan.Read != 0 {
		t.Errorf("%d B are read in %d B, %d B in %d B", list[0].Plan.Read, budgets[0], list[2].Plan.Read, budgets[2])
	}
}

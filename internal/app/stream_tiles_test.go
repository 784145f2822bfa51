package app_test

import (
	"testing"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/litert"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/restore"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// With tiled activations, a run is never more than a percent slower, some budgets have a plan that have none otherwise, and the
// planned model computes the same as the original.
func TestStreamTiles(t *testing.T) {
	faster, feasible := false, false
	for _, seed := range []uint64{5, 9} {
		m := modelfile.Parse(t, network.Convolutions(seed, 3))
		plan := func(budget int64, tile bool) *app.Streamed {
			o := app.StreamOptions{Budget: budget, Tile: tile, Rates: litert.Rates{Bytes: 1e7, MACs: 1e9}}
			o.Strategy, o.SearchNodes = stream.Best, 2000
			r, err := app.StreamModel(t.Context(), m, "", o)
			if err != nil {
				t.Fatal(err)
			}
			if r.Plan != nil && r.PeakBytes > budget {
				t.Errorf("seed %d: %d B in a budget of %d B", seed, r.PeakBytes, budget)
			}
			return r
		}
		least := plan(1<<30, false).LeastBudgetBytes
		for _, budget := range []int64{least / 2, least - 64, least, least + 1000} {
			own, tiled := plan(budget, false), plan(budget, true)
			if own.Plan != nil && (tiled.Plan == nil || tiled.Plan.Latency > own.Plan.Latency+own.Plan.Latency/100) {
				t.Errorf("seed %d: %d B: %.6f ms, and %.6f ms with tiles", seed, budget, own.LatencyMS, tiled.LatencyMS)
			}
			faster = faster || own.Plan != nil && tiled.LatencyMS < own.LatencyMS/2
			feasible = feasible || own.Plan == nil && tiled.Plan != nil
			if noted := slices.ContainsFunc(tiled.Notes, isTiled); noted != (restored(t, tiled.Model) != nil) {
				t.Errorf("seed %d: %d B: notes %v", seed, budget, tiled.Notes)
			}
		}
	}
	if !faster || !feasible {
		t.Errorf("a run twice as fast: %v, a smaller budget: %v", faster, feasible)
	}
}

func isTiled(n results.Note) bool { return n.Kind == results.NoteTiled }

// restored returns a model with the original operators of its tiled blocks, or nil if it has none.
func restored(t *testing.T, m *tflite.Model) *tflite.Model {
	t.Helper()
	r, err := restore.Model(m, rewrite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Subgraphs[0].Operators) == len(m.Subgraphs[0].Operators) {
		return nil
	}
	return r
}

// If the times of a model are in proportion to multiply-accumulates, then so are those of its tiles.
func TestTiledTimes(t *testing.T) {
	m := modelfile.Parse(t, network.Convolutions(3, 3))
	times := func(m *tflite.Model) map[int]time.Duration {
		list := map[int]time.Duration{}
		for i := range m.Subgraphs[0].Operators {
			list[i] = time.Duration(op.MACs(m, &m.Subgraphs[0], &m.Subgraphs[0].Operators[i]).Total()) * time.Microsecond
		}
		return list
	}
	o := app.StreamOptions{Budget: 13_000, Tile: true, Rates: litert.Rates{Bytes: 1e7, Compute: times(m)}}
	o.Strategy = stream.Best
	r, err := app.StreamModel(t.Context(), m, "", o)
	if err != nil {
		t.Fatal(err)
	}
	if restored(t, r.Model) == nil {
		t.Fatal("nothing is tiled")
	}
	got := litert.TiledTimes(m, r.Model, times(m))
	for i, want := range times(r.Model) {
		if d := got[i] - want; d < -1 || d > 1 {
			t.Errorf("operator %d: %v, want %v", i, got[i], want)
		}
	}
	if compute := r.Network.Compute(); compute < time.Duration(op.RunMACs(m, 0))*time.Microsecond {
		t.Errorf("a run computes for %v", compute)
	}
}

package stream_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/flexnn"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
)

// A measured row is one network, loading rate and budget with what the authors' program makes of it,
// and what is known of the best plan.
type measured struct {
	name     string
	net      *network.Network
	budget   int64
	feasible bool // by the authors' program
	peak     int64
	latency  time.Duration // of its plan, and so on
	first    time.Duration
	best     time.Duration
	bound    time.Duration
}

// table reads the table of measured rows.
func table(t testing.TB) []measured {
	t.Helper()
	var rows []measured
	for _, row := range corpus.Table(t, "stream/cases/profiles/results.csv") {
		budget, err := strconv.ParseInt(row["budget"], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		peak, _ := strconv.ParseInt(row["peak"], 10, 64)
		rows = append(rows, measured{
			name: fmt.Sprintf("%s-%s-%d", row["model"], row["ratio"], budget), net: profile(t, row["model"], row["ratio"]),
			budget: budget, feasible: row["feasible"] == "yes", peak: peak,
			latency: milliseconds(t, row["latency_ms"]), first: milliseconds(t, row["first_ms"]),
			best: milliseconds(t, row["best_ms"]), bound: milliseconds(t, row["bound_ms"]),
		})
	}
	return rows
}

// profile reads the two profiles of a network.
func profile(t testing.TB, model, ratio string) *network.Network {
	t.Helper()
	dir := filepath.Join(corpus.Dir(t), "stream", "cases", "profiles")
	memory, err := os.ReadFile(filepath.Join(dir, model+".memprof.csv"))
	if err != nil {
		t.Fatal(err)
	}
	times, err := os.ReadFile(filepath.Join(dir, model+"."+ratio+".timeprof.csv"))
	if err != nil {
		t.Fatal(err)
	}
	net, err := flexnn.ReadProfiles(memory, times)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func milliseconds(t testing.TB, cell string) time.Duration {
	t.Helper()
	if cell == "" {
		return 0
	}
	ms, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(ms*1e6 + 0.5)
}

// TestFlexNN holds the strategy to what was measured with the authors' program.
func TestFlexNN(t *testing.T) {
	for _, row := range table(t) {
		plan, err := stream.Solve(context.Background(), row.net, row.budget, stream.Options{Strategy: stream.FlexNN})
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		if !row.feasible {
			if len(plan.Notes) == 0 {
				t.Errorf("%s: the authors' plan is wrong, but no note says so", row.name)
			}
			continue
		}
		loads, before := plan.Loads(row.net)
		latency := network.Simulate(row.net, loads, flexnn.Waits(row.net, plan.Placement)).Latency()
		if !near(latency, row.latency) || !near(latency+before, row.first) || plan.Peak != row.peak || len(plan.Notes) > 0 {
			t.Errorf("%s: latency %v, first run %v, peak %d, notes %q, want %v, %v, %d", row.name, latency, latency+before, plan.Peak, plan.Notes, row.latency, row.first, row.peak)
		}
	}
}

// near compares with what a table prints in thousandths of a millisecond.
func near(a, b time.Duration) bool { return (a - b).Abs() <= time.Microsecond }

// TestBest holds the best plans to what is known of the networks of the paper.
func TestBest(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: searches 105 times")
	}
	var last measured
	var latency time.Duration
	close := 0
	rows := table(t)
	for _, row := range rows {
		plan, err := stream.Solve(context.Background(), row.net, row.budget, stream.Options{})
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		t.Logf("%s: %v by %s, best known %v, bound %v, gap %.2f %%, %v", row.name, plan.Latency, plan.Winner, row.best, plan.LowerBound, 100*(float64(plan.Latency)/float64(plan.LowerBound)-1), plan.Elapsed)
		if row.feasible && plan.Latency > row.latency+time.Microsecond {
			t.Errorf("%s: %v is slower than the authors' plan, %v", row.name, plan.Latency, row.latency)
		}
		if float64(plan.Latency) <= 1.005*float64(row.best) {
			close++
		}
		if row.bound > plan.LowerBound+time.Microsecond {
			t.Errorf("%s: the bound %v is lower than the one known, %v", row.name, plan.LowerBound, row.bound)
		}
		if last.net != nil && last.name[:len(last.name)-9] == row.name[:len(last.name)-9] && plan.Latency > latency {
			t.Errorf("%s: %v is slower than %s, %v", row.name, plan.Latency, last.name, latency)
		}
		last, latency = row, plan.Latency
	}
	if close*100 < len(rows)*95 {
		t.Errorf("%d of %d rows are within half a percent of the best known plan", close, len(rows))
	}
}

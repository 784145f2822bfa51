package alloc

import (
	"context"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/expiry"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

// recordsOf returns the records of all of a model under a rule set.
func recordsOf(t testing.TB, m *tflite.Model, runtime string) Records {
	t.Helper()
	r, err := rules.Lookup(runtime)
	if err != nil {
		t.Fatal(err)
	}
	v, err := r.View(m, -1)
	if err != nil {
		t.Fatal(err)
	}
	return v.Records()
}

func openModel(t testing.TB, path string) *tflite.Model {
	t.Helper()
	m, err := tflite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestExactSharedPapers has the smallest totals for the networks of Pisarchyk and
// Lee's table 1. Only where the bound is reached did the paper know them.
func TestExactSharedPapers(t *testing.T) {
	for network, want := range map[string]int64{
		"mobilenet_v1": 4816896, "mobilenet_v2": 7024640, "deeplab_v3": 6749568, "posenet": 6655424, "blazeface": 542720,
	} {
		plan := solve(t, readProblem(t, "models", "paper_records", network+".csv"), Shared, Exact)
		if plan.Total != want || plan.LowerBound != want || !plan.Optimal || plan.Proof == (Proof{}) {
			t.Errorf("%s: %+v, want %d proven", network, plan, want)
		}
	}
}

// someRules returns the rule sets, or one of them where little time is to be spent.
func someRules() []string {
	if testing.Short() {
		return rules.Names()[:1]
	}
	return rules.Names()
}

// TestExactSharedBuilt proves the networks of the papers' tables, as package models
// builds them, under every rule set.
func TestExactSharedBuilt(t *testing.T) {
	for _, n := range models.List(models.Tables) {
		data, err := models.Build(n.Name, models.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := tflite.Parse(data, n.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, runtime := range someRules() {
			plan := solve(t, recordsOf(t, m, runtime), Shared, Exact)
			if !plan.Optimal || plan.LowerBound != plan.Total {
				t.Errorf("%s under %s: %d bytes are not proven, only %d", n.Name, runtime, plan.Total, plan.LowerBound)
			}
		}
	}
}

// TestExactSharedCorpus proves every model of the corpus under every rule set.
func TestExactSharedCorpus(t *testing.T) {
	for _, f := range corpus.Accepted(t) {
		m := openModel(t, f.Path)
		for _, runtime := range someRules() {
			plan := solve(t, recordsOf(t, m, runtime), Shared, Exact)
			if !plan.Optimal || plan.LowerBound != plan.Total {
				t.Errorf("%s under %s: %d bytes are not proven, only %d", f.Name, runtime, plan.Total, plan.LowerBound)
			}
			t.Logf("%s under %s: %d records, %d bytes, %d nodes, %v", f.Name, runtime, len(plan.Objects), plan.Total, plan.Nodes, plan.Elapsed)
		}
	}
}

// wide returns records of which so many are alive at once that no proof is near.
func wide() Records {
	var records Records
	for i := range 1000 {
		records = append(records, rec(int64(1+i*7919%100_003), i*613%1000, i*613%1000+1+i*331%100))
	}
	return records
}

func TestExactSharedInterrupted(t *testing.T) {
	records := wide()
	plan, err := Solve(expiry.New(1000), records, Options{Approach: Shared, Strategy: Exact})
	if err != nil {
		t.Fatal(err)
	}
	if !plan.Interrupted || plan.Optimal || plan.LowerBound < LowerBound(Shared, records) || plan.Total <= plan.LowerBound {
		t.Errorf("total %d, bound %d, optimal %v, interrupted %v", plan.Total, plan.LowerBound, plan.Optimal, plan.Interrupted)
	}
}

// TestExactSharedReports wants each better total once, with a bound below it.
func TestExactSharedReports(t *testing.T) {
	records := readProblem(t, "models", "paper_records", "deeplab_v3.csv")
	var last int64
	plan, err := Solve(context.Background(), records, Options{Approach: Shared, Strategy: Exact, Progress: func(now Progress) {
		if now.Bound > now.Total || last > 0 && now.Total > last {
			t.Errorf("%+v after %d", now, last)
		}
		last = now.Total
	}})
	if err != nil || last != plan.Total {
		t.Errorf("%v: the last report has %d bytes, the plan %d", err, last, plan.Total)
	}
}

func BenchmarkExactShared(b *testing.B) {
	bench := func(name string, records Records) {
		b.Run(name, func(b *testing.B) {
			var plan *Plan
			for b.Loop() {
				plan = solve(b, records, Shared, Exact)
			}
			b.ReportMetric(float64(plan.Nodes), "nodes")
			b.ReportMetric(float64(plan.Total), "bytes")
		})
	}
	for _, network := range []string{"mobilenet_v1", "mobilenet_v2", "deeplab_v3", "posenet", "blazeface"} {
		bench(network, readProblem(b, "models", "paper_records", network+".csv"))
	}
	for _, f := range corpus.Models(b) {
		if f.Name == "nets/movinet_int8.tflite" || f.Name == "nets/nmp.tflite" || f.Name == "nets/kwt1_non_stream.tflite" {
			m := openModel(b, f.Path)
			for _, runtime := range rules.Names() {
				bench(f.Name+"/"+runtime, recordsOf(b, m, runtime))
			}
		}
	}
	for _, n := range []int{200, 400, 1000} {
		bench("network of many records", network(n))
	}
}

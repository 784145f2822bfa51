package app_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

func decide(ctx context.Context, records []lifetime.Record, capacity int64, o alloc.Options) (*alloc.Verdict, error) {
	return alloc.Fit(ctx, records, capacity, o)
}

// rows is a CSV problem; columns have the same number of values.
func rows(t *testing.T, columns ...string) *app.Problem {
	t.Helper()
	j, err := app.ReadRows("p.csv", []byte(strings.Join(columns, "\n")+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func tensors(t *testing.T, m *tflite.Model, d rules.Device) *app.Problem {
	t.Helper()
	v, err := d.Rules().View(m, -1)
	if err != nil {
		t.Fatal(err)
	}
	j := app.TensorsOf(v)
	if err := j.On(d); err != nil {
		t.Fatal(err)
	}
	return j
}

// Whatever is permitted, a plan has a place for each record, and for a capacity there is a verdict that
// agrees with the plan.
func TestPlan(t *testing.T) {
	o := alloc.Options{Approach: alloc.Offsets, Strategy: alloc.Auto, SearchNodes: 1000}
	for seed := range uint64(8) {
		var last int64
		for _, alias := range []rules.Alias{rules.NoAlias, rules.ElementwiseAlias} {
			j := tensors(t, modelfile.Parse(t, network.Convolutions(seed, 8)), rules.DefaultDevice())
			if err := j.Share(t.Context(), alias, alloc.Auto); alias != rules.NoAlias && err != nil {
				t.Fatal(err)
			}
			l, verdict, err := j.Plan(t.Context(), o, -1, alloc.Solve, decide)
			if err != nil || verdict != nil || len(l.Offsets) != len(j.Records) {
				t.Fatalf("%v: %v", verdict, err)
			}
			if r := l.Result(); r.TotalBytes != l.Total || len(r.Placements) != len(j.Records) {
				t.Errorf("seed %d: %+v", seed, r)
			}
			if last > 0 && l.Total > last {
				t.Errorf("seed %d: %d B with --alias %s, and %d B without", seed, l.Total, alias, last)
			}
			last = l.Total
			within, verdict, err := j.Plan(t.Context(), o, l.Total, alloc.Solve, decide)
			if err != nil || within.Total > l.Total || verdict != nil && verdict.Answer != alloc.Fits {
				t.Errorf("seed %d: %+v %v", seed, verdict, err)
			}
			if alias != rules.NoAlias {
				continue // whose lower bound is for such plans alone
			}
			_, verdict, err = j.Plan(t.Context(), o, l.LowerBound-1, alloc.Solve, decide)
			if err != nil || verdict.Answer != alloc.Misfit {
				t.Errorf("seed %d: %+v %v", seed, verdict, err)
			}
		}
	}
}

// Offsets are multiples of an alignment, in rows and in tensors.
func TestAlign(t *testing.T) {
	for _, j := range []*app.Problem{rows(t, "id,lower,upper,size", "a,0,2,10", "b,1,3,10", "c,2,4,7"), tensors(t, modelfile.Parse(t, network.Convolutions(1, 8)), rules.DefaultDevice().WithoutScratch())} {
		if err := j.Align(48); err != nil {
			t.Fatal(err)
		}
		l, _, err := j.Plan(t.Context(), alloc.Options{Approach: alloc.Offsets, Strategy: "greedy-by-size"}, -1, alloc.Solve, decide)
		if err != nil || check.Offsets(j.Records, l.Offsets, l.Total) != nil {
			t.Fatal(err)
		}
		for i, offset := range l.Offsets {
			if offset%48 != 0 {
				t.Errorf("%s: record %d is at %d", j.Title, i, offset)
			}
		}
	}
}

// The scratch of a device is planned with the tensors.
func TestOn(t *testing.T) {
	requests, m := 0, builtin.Model(t, "blazeface-int8")
	for _, library := range rules.KernelLibraries() {
		d, err := rules.UsualDevice(library)
		if err != nil {
			t.Fatal(err)
		}
		with, without := tensors(t, m, d), tensors(t, m, d.WithoutScratch())
		if len(with.Records) != len(without.Records)+len(with.Requests) || len(without.Requests) > 0 {
			t.Errorf("%s: %d records with %d requests, and %d without", library, len(with.Records), len(with.Requests), len(without.Records))
		}
		requests += len(with.Requests)
	}
	if requests == 0 {
		t.Error("no library requests scratch")
	}
}

// Each strategy of an approach has an entry, and no total is below the bound. An approach that records
// exclude is left out, which every contest says.
func TestCompare(t *testing.T) {
	o := alloc.Options{SearchTime: time.Millisecond}
	j := rows(t, "id,lower,upper,size", "a,0,2,10", "b,1,3,10", "c,2,4,7")
	list, warnings, err := j.Compare(t.Context(), t.Context(), o, alloc.Solve)
	if err != nil || len(list) != 2 || len(warnings) > 0 {
		t.Fatalf("%v %v %v", list, warnings, err)
	}
	for _, c := range list {
		if len(c.Strategies) != len(alloc.Strategies(c.Approach))-1 || c.BestBytes < c.LowerBoundBytes || len(c.Unfinished()) > 0 {
			t.Errorf("%+v", c)
		}
	}
	j = rows(t, "id,lower,upper,size,offset", "a,0,2,10,0", "b,1,3,10,")
	list, warnings, err = j.Compare(t.Context(), t.Context(), o, alloc.Solve)
	if err != nil || len(list) != 1 || list[0].Approach != alloc.Offsets || len(warnings) != 1 || fmt.Sprint(list[0].Warnings) != fmt.Sprint(warnings) || warnings[0].Kind != results.WarnApproach {
		t.Errorf("%+v %v %v", list, warnings, err)
	}
}

// Without any time, a comparison of few records has the same plan of each strategy without search as with
// unlimited time, and marks the other strategies; one of many records says that no strategy finished. An
// error of the solver ends it.
func TestCompareInTime(t *testing.T) {
	few := rows(t, "id,lower,upper,size", "a,0,2,10", "b,1,3,10", "c,2,4,7")
	lines := []string{"id,lower,upper,size"}
	for i := range 2001 {
		lines = append(lines, fmt.Sprintf("%d,%d,%d,1", i, i, i+2))
	}
	late, stop := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer stop()
	ended := func(ctx context.Context, _ []lifetime.Record, _ alloc.Options) (*alloc.Plan, error) {
		return nil, ctx.Err()
	}
	list, _, err := rows(t, lines...).Compare(t.Context(), late, alloc.Options{}, ended)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	for _, c := range list {
		if len(c.Unfinished()) != len(c.Strategies) || c.BestStrategy != "" {
			t.Errorf("%+v", c)
		}
	}
	list, _, err = few.Compare(t.Context(), late, alloc.Options{}, alloc.Solve)
	whole, _, wholeErr := few.Compare(t.Context(), t.Context(), alloc.Options{SearchTime: time.Millisecond}, alloc.Solve)
	if err != nil || wholeErr != nil || len(list) != len(whole) {
		t.Fatalf("%v %v", err, wholeErr)
	}
	for i, c := range list {
		for k, e := range c.Strategies {
			s, err := alloc.Lookup(c.Approach, e.Strategy)
			if err != nil {
				t.Fatal(err)
			}
			if s.Searches() && !e.Interrupted && e.Problem != "" || !s.Searches() && (e.Interrupted || e.TotalBytes != whole[i].Strategies[k].TotalBytes || e.TotalBytes == 0) {
				t.Errorf("%s: %+v, in unlimited time %+v", c.Approach, e, whole[i].Strategies[k])
			}
		}
		if len(c.Unfinished()) == 0 {
			t.Errorf("%s: every search finished", c.Approach)
		}
	}
	wrong := errors.New("wrong")
	if list, _, err := few.Compare(t.Context(), t.Context(), alloc.Options{}, func(context.Context, []lifetime.Record, alloc.Options) (*alloc.Plan, error) { return nil, wrong }); !errors.Is(err, wrong) || len(list) > 0 {
		t.Errorf("%v %v", list, err)
	}
}

package parts

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// drawn returns the network of convolutions of a seed.
func drawn(t testing.TB, seed uint64) *tflite.Model {
	t.Helper()
	return parse(t, network.Convolutions(seed, 1), fmt.Sprint("convolutions ", seed))
}

// calling returns the network of a seed whose operators call subgraphs and keep variables.
func calling(t testing.TB, seed uint64) *tflite.Model {
	t.Helper()
	return parse(t, network.Calling(seed, 1), fmt.Sprint("calling ", seed))
}

// kinds are the networks that rows are made of.
var kinds = []func(testing.TB, uint64) *tflite.Model{drawn, calling}

func parse(t testing.TB, data []byte, name string) *tflite.Model {
	t.Helper()
	m, err := tflite.Parse(data, name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func rowOf(t testing.TB, m *tflite.Model, alias rules.Alias) *Row {
	t.Helper()
	return New(sample.Micro(t, m), Options{Alias: alias, Device: rules.DefaultDevice().WithoutScratch()})
}

// TestRowIsTheModel: what the row as it is needs is what the model needs, and any two parts of it
// together need what the whole does.
func TestRowIsTheModel(t *testing.T) {
	for seed := range uint64(80) {
		m := kinds[seed%2](t, seed/2)
		v, row := sample.Micro(t, m), rowOf(t, m, rules.OverwriteAlias)
		whole := row.Own(0, row.Len())
		if want := lifetime.MaxBreadth(v.Records()); whole.Sure != want || whole.Peak > want {
			t.Errorf("%s: %+v, of which %d B are alive without takeovers", m.Name, whole, want)
		}
		if row.Floor() > whole.Peak {
			t.Errorf("%s: floor %d, peak %d", m.Name, row.Floor(), whole.Peak)
		}
		for i := range row.Len() {
			if got := row.Own(0, i).Plus(row.Own(i, row.Len())); got != whole {
				t.Errorf("%s cut at %d: %+v, whole %+v", m.Name, i, got, whole)
			}
		}
	}
}

// TestRowCountsInputs: inputs that are live before the first operator alone count, whatever is tiled.
func TestRowCountsInputs(t *testing.T) {
	const unread = 1 << 20
	for _, kind := range kinds {
		m := kind(t, 1)
		s := &m.Subgraphs[0]
		s.Inputs = append(s.Inputs, len(s.Tensors))
		s.Tensors = append(s.Tensors, tflite.Tensor{Shape: []int32{unread}, HasRank: true, Type: s.Tensors[s.Inputs[0]].Type, Input: true, Producer: -1})
		row := rowOf(t, m, rules.NoAlias)
		list := row.List(t.Context(), 0, much, math.MaxInt64, nil)
		for _, p := range Frontier(t.Context(), list, row.Len()) {
			if p.Cost.Peak < 4*unread || p.Cost.Sure < 4*unread {
				t.Errorf("%s: %+v", m.Name, p.Cost)
			}
		}
	}
}

// TestCalledCounts: what a called subgraph needs counts at the operator that calls it, and what it keeps
// from its first call to its last counts in between, also beside tiles.
func TestCalledCounts(t *testing.T) {
	callers, kept := 0, 0
	for seed := range uint64(60) {
		m := calling(t, seed)
		v, row := sample.Micro(t, m), rowOf(t, m, rules.NoAlias)
		for position, step := range v.Usage.Steps {
			at, alive := operatorAt(v)(position), int64(0)
			for _, i := range lifetime.Profile(v.Records(), position) {
				alive += v.Records()[i].Size
			}
			if at >= 0 && row.Own(at, at+1).Sure < alive {
				t.Errorf("%s: operator %d needs %+v, but %d B at position %d", m.Name, at, row.Own(at, at+1), alive, position)
			}
			if step.Subgraph > 0 {
				callers++
			}
		}
		for at, why := range row.cuttable {
			called := row.beside(at, at)
			for tensor, size := range row.size {
				if row.isBeside(tensor, at, at) {
					called -= size
				}
			}
			kept += int(min(called, 1))
			if why == nil && len(m.Subgraphs[0].Operators[at].Subgraphs) > 0 {
				t.Errorf("%s: operator %d calls subgraphs and can be tiled", m.Name, at)
			}
		}
	}
	if callers < 100 || kept < 5 {
		t.Errorf("%d positions in called subgraphs, %d operators beside their tensors: too few to tell", callers, kept)
	}
}

// TestNotCut: the reason why nothing is tiled is that of the model.
func TestNotCut(t *testing.T) {
	for seed := range uint64(20) {
		if why := rowOf(t, calling(t, seed), rules.NoAlias).NotCut(); why != "" {
			t.Errorf("seed %d: %s", seed, why)
		}
	}
	for name, want := range map[string]string{
		"models/micro/kws_ref_model.tflite": "", "found/lsm.tflite": "no operator can be tiled",
		"models/corner/multi_subgraphs_while.bin": "no operator of subgraph 0 can be tiled, and called subgraphs are not tiled",
	} {
		m := sample.OpenFile(t, filepath.Join(corpus.Dir(t), name))
		if why := rowOf(t, m, rules.NoAlias).NotCut(); why != want {
			t.Errorf("%s: %q, want %q", name, why, want)
		}
	}
}

// TestSums: to add to stretches of numbers comes to what adding to each of them does.
func TestSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 6).Draw(t, "numbers")
		got, want := make([]int64, n), make([]int64, n)
		s := newSums(n)
		for range rapid.IntRange(0, 5).Draw(t, "stretches") {
			first, last := rapid.IntRange(-2, 8).Draw(t, "first"), rapid.IntRange(-2, 8).Draw(t, "last")
			bytes := rapid.Int64Range(-9, 9).Draw(t, "bytes")
			s.add(first, last, bytes)
			for i := max(first, 0); i <= min(last, n-1); i++ {
				want[i] += bytes
			}
		}
		if s.addTo(got); !slices.Equal(got, want) {
			t.Fatalf("%v, not %v", got, want)
		}
	})
}

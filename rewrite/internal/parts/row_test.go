package parts

import (
	"fmt"
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/internal/sample"
	"github.com/tflarena/tflarena/tflite"
)

// drawn returns the network of convolutions of a seed.
func drawn(t testing.TB, seed uint64) *tflite.Model {
	t.Helper()
	return parse(t, network.Convolutions(seed, 1), fmt.Sprint("convolutions ", seed))
}

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
	v := sample.Micro(t, m)
	if !Straight(v) {
		t.Fatalf("%s: no path goes through it", m.Name)
	}
	return New(v, Options{Alias: alias, Device: rules.DefaultDevice().WithoutScratch()})
}

// TestRowIsTheModel: what the row as it is needs is what the model needs, and any two parts of it
// together need what the whole does.
func TestRowIsTheModel(t *testing.T) {
	for seed := range uint64(40) {
		m := drawn(t, seed)
		v, row := sample.Micro(t, m), rowOf(t, m, rules.OverwriteAlias)
		whole := row.AsIs(0, row.Len()).Cost
		if want := lifetime.MaxBreadth(v.Records()); whole.Sure != want || whole.Peak > want {
			t.Errorf("%s: %+v, of which %d B are alive without takeovers", m.Name, whole, want)
		}
		if row.Floor() > whole.Peak {
			t.Errorf("%s: floor %d, peak %d", m.Name, row.Floor(), whole.Peak)
		}
		for i := range row.Len() {
			if got := row.AsIs(0, i).Cost.Plus(row.AsIs(i, row.Len()).Cost); got != whole {
				t.Errorf("%s cut at %d: %+v, whole %+v", m.Name, i, got, whole)
			}
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

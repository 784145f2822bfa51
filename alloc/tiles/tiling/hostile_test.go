package tiling_test

import (
	"testing"

	"github.com/tflarena/tflarena/alloc/tiles"
	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/internal/testkit/mutate"
	"github.com/tflarena/tflarena/tflite"
)

// FuzzNew cuts networks whose shapes, options, constants and indexes have been changed at will.
func FuzzNew(f *testing.F) {
	for i := range hostileSeeds {
		floats, from, recipe := hostileSeed(i)
		f.Add(floats, from, recipe)
	}
	f.Fuzz(func(t *testing.T, floats bool, from uint8, recipe []byte) { cutHostile(t, floats, from, recipe) })
}

// TestHostileNetworksAreCut keeps the seeds from being refused one and all.
func TestHostileNetworksAreCut(t *testing.T) {
	cut := 0
	for i := range hostileSeeds {
		floats, from, recipe := hostileSeed(i)
		cut += cutHostile(t, floats, from, recipe)
	}
	if cut == 0 {
		t.Error("nothing was cut")
	}
}

const hostileSeeds = 200

func hostileSeed(i int) (floats bool, from uint8, recipe []byte) {
	return i%2 == 0, uint8(i), []byte{byte(7 * i), byte(i / 3), 1, byte(5 * i), byte(11 * i), byte(i), 1, 3, byte(13 * i), byte(i / 2)}
}

// cutHostile returns in how many ways a network can be cut.
func cutHostile(t *testing.T, floats bool, from uint8, recipe []byte) int {
	t.Helper()
	data, err := mutate.Hostile(floats, from, recipe)
	if err != nil {
		t.Fatal(err)
	}
	m, err := tflite.Parse(data, "hostile")
	if err != nil {
		return 0
	}
	return cutAnyhow(t, m)
}

// cutAnyhow cuts a model in several ways and returns how many of them there are: tensors that lie
// end to end pass the checker, which follows all steps.
func cutAnyhow(t *testing.T, m *tflite.Model) (ways int) {
	t.Helper()
	for _, o := range []tiling.Options{{OnChip: 1 << 16, Cascade: 8}, {OnChip: 1 << 12, Most: 1, Cascade: 8}, {OnChip: 256, Cut: tiling.Pixels}} {
		o.MaxAccesses = 1 << 16 // each model takes a moment, however large it is
		s, err := tiling.New(t.Context(), m, 0, o)
		if err != nil {
			continue
		}
		ways++
		p := tiles.Problem{Tensors: s.Tensors, Semantics: o.Semantics}
		if _, err := tiles.Records(p); err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		var offsets []int64
		var end int64
		for _, x := range s.Tensors {
			offsets, end = append(offsets, end), end+x.Size
		}
		if err := tiles.Check(p, offsets, end); err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		s.Live(o.Semantics)
		for _, r := range s.Runs {
			if r.OnChip > o.OnChip {
				t.Fatalf("%s: operator %d needs %d bytes on chip", m.Name, r.First, r.OnChip)
			}
		}
	}
	return ways
}

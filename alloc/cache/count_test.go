package cache_test

import (
	"errors"
	"math"
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/cache"
	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/lifetime"
)

// slowCount is the definition: each set is a list of lines, the most recently used one first.
func slowCount(p cache.Problem, offsets []int64) (n cache.Counts) {
	sets := map[int64][]int64{}
	seen := map[int64]bool{}
	for _, a := range p.Walk {
		for at := range a.Size {
			line := (p.Address(a, offsets) + at) / p.Line
			if at > 0 && (p.Address(a, offsets)+at)%p.Line != 0 {
				continue // in the same line as the byte before
			}
			set := sets[line%p.Sets()]
			n.Accesses++
			if k := slices.Index(set, line); k >= 0 {
				set = slices.Delete(set, k, k+1)
			} else {
				n.Misses++
			}
			set = slices.Insert(set, 0, line)
			sets[line%p.Sets()] = set[:min(len(set), int(p.Ways))]
			seen[line] = true
		}
	}
	n.Cold = int64(len(seen))
	return n
}

// drawGeometry draws a small cache.
func drawGeometry(t *rapid.T) cache.Geometry {
	line, sets := int64(1)<<rapid.IntRange(0, 4).Draw(t, "line"), int64(1)<<rapid.IntRange(0, 3).Draw(t, "sets")
	ways := rapid.Int64Range(1, 6).Draw(t, "ways")
	return cache.Geometry{Size: line * sets * ways, Line: line, Ways: ways}
}

// drawWalk draws accesses to parts of records, and to constants.
func drawWalk(t *rapid.T, records []lifetime.Record) (walk []cache.Access) {
	for range rapid.IntRange(0, 30).Draw(t, "accesses") {
		i := rapid.IntRange(-1, len(records)-1).Draw(t, "record")
		size := int64(50)
		if i >= 0 {
			size = records[i].Size
		}
		offset := rapid.Int64Range(0, size-1).Draw(t, "from")
		walk = append(walk, cache.Access{Record: i, Offset: offset, Size: rapid.Int64Range(1, size-offset).Draw(t, "bytes")})
	}
	return walk
}

func TestCountMatchesItsDefinition(t *testing.T) {
	evicted := 0
	property.Until(t, func() bool { return evicted > 50 }, func(t *rapid.T) {
		records := make([]lifetime.Record, rapid.IntRange(0, 5).Draw(t, "records"))
		offsets := make([]int64, len(records))
		p := cache.Problem{Geometry: drawGeometry(t), Records: records, Constants: 128}
		for i := range records {
			records[i].Size = rapid.Int64Range(1, 64).Draw(t, "size")
			offsets[i] = rapid.Int64Range(0, 64).Draw(t, "offset")
		}
		p.Walk = drawWalk(t, records)
		got, err := cache.Count(p, offsets)
		if want := slowCount(p, offsets); err != nil || got != want {
			t.Fatalf("%+v, want %+v (%v)", got, want, err)
		}
		if got.Misses > got.Cold {
			evicted++
		}
	})
}

func TestGeometry(t *testing.T) {
	for g, valid := range map[cache.Geometry]bool{
		{32768, 64, 8}: true, {32768, 64, 512}: true, {49152, 64, 12}: true, {64, 64, 1}: true, {3, 1, 3}: true,
		{32768, 48, 8}: false, {32768, 0, 8}: false, {32768, -64, 8}: false, {32768, 64, 0}: false, {32768, 64, -1}: false,
		{32768, 64, 513}: false, {33000, 64, 8}: false, {49152, 64, 8}: false, {0, 64, 1}: false, {-64, 64, 1}: false,
		{math.MaxInt64, 1, 1}: false, {1 << 40, 64, math.MaxInt64}: false, {1 << 40, 1 << 38, 2}: true,
	} {
		if err := g.Check(); (err == nil) != valid {
			t.Errorf("%+v: %v", g, err)
		}
	}
}

func TestTooLong(t *testing.T) {
	g := cache.Geometry{Size: 32768, Line: 64, Ways: 8}
	for name, p := range map[string]cache.Problem{
		"far away":    {Records: []lifetime.Record{{Size: 1}}, Walk: []cache.Access{{Record: 0, Size: 1}}},
		"many bytes":  {Records: []lifetime.Record{{Size: 1 << 59}}, Walk: []cache.Access{{Record: 0, Size: 1 << 59}}},
		"constants":   {Walk: []cache.Access{{Record: -1, Size: 1 << 59}}, Records: []lifetime.Record{{Size: 1}}},
		"many visits": {Records: []lifetime.Record{{Size: 1 << 30}}, Walk: []cache.Access{{Size: 1 << 30}, {Size: 1 << 30}, {Size: 1 << 30}}},
	} {
		p.Geometry = g
		offsets := []int64{0}
		if name == "far away" {
			offsets[0] = 1 << 59
		}
		if _, err := cache.Count(p, offsets); !errors.Is(err, cache.ErrTooLong) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

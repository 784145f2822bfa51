package tiles

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/lifetime"
)

func writes(step int, lo, hi int64) lifetime.Access {
	return lifetime.Access{Step: step, Write: true, Lo: lo, Hi: hi}
}

func reads(step int, lo, hi int64) lifetime.Access {
	return lifetime.Access{Step: step, Lo: lo, Hi: hi}
}

// drawTensor draws a tensor of which each byte is written at most once: rows one after the
// other, from the first or from the last, channels with the same rows, or anything.
func drawTensor(t *rapid.T) lifetime.Tiled {
	rows := rapid.IntRange(1, 5).Draw(t, "rows")
	channels := rapid.IntRange(1, 3).Draw(t, "channels")
	row := rapid.Int64Range(1, 3).Draw(t, "row")
	kind := rapid.IntRange(0, 3).Draw(t, "kind")
	space := rapid.SampledFrom([]int64{0, 0, 1, 4}).Draw(t, "space")
	step := rapid.IntRange(0, 6).Draw(t, "step")
	later := rapid.IntRange(0, 6).Draw(t, "later")
	tensor := lifetime.Tiled{Size: int64(channels) * (int64(rows)*row + space)}
	for k := range rows {
		r := int64(k)
		written := step + k
		if kind == 1 {
			r = int64(rows - 1 - k)
		}
		if kind == 2 {
			written = step + rapid.IntRange(0, 5).Draw(t, "written")
		}
		read := written + later
		if kind >= 2 {
			read = written + rapid.IntRange(0, 8).Draw(t, "read")
		}
		for c := range int64(channels) {
			lo := c*(int64(rows)*row+space) + r*row
			tensor.Accesses = append(tensor.Accesses, writes(written, lo, lo+row))
			if read > written {
				tensor.Accesses = append(tensor.Accesses, reads(read, lo, lo+row))
			}
		}
	}
	slices.SortStableFunc(tensor.Accesses, func(a, b lifetime.Access) int { return a.Step - b.Step })
	if rapid.IntRange(0, 5).Draw(t, "whole") == 0 {
		first := rapid.IntRange(0, 8).Draw(t, "from")
		tensor.Whole = &lifetime.Steps{First: first, Last: first + rapid.IntRange(0, 3).Draw(t, "for")}
	}
	return tensor
}

// TestForbiddenAgreesWithTheByteMap tries all distances.
func TestForbiddenAgreesWithTheByteMap(t *testing.T) {
	holes := 0
	property.Until(t, func() bool { return holes > 50 }, func(t *rapid.T) {
		p := Problem{Semantics: rapid.SampledFrom([]lifetime.Semantics{lifetime.Atomic, lifetime.Simultaneous, ""}).Draw(t, "semantics")}
		p.Tensors = []lifetime.Tiled{drawTensor(t), drawTensor(t)}
		v, err := p.view()
		if err != nil {
			t.Fatal(err)
		}
		ranges := v.forbidden(0, 1)
		if len(ranges) > 1 {
			holes++
		}
		a, b := p.Tensors[0].Size, p.Tensors[1].Size
		for d := -b - 1; d <= a+1; d++ {
			offsets := []int64{max(0, -d), max(0, d)}
			err := Check(p, offsets, max(offsets[0]+a, offsets[1]+b))
			in := slices.IndexFunc(ranges, func(r lifetime.Range) bool { return r.Lo <= d && d <= r.Hi }) >= 0
			if in != (err != nil) && !(in && p.Tensors[0].Whole != nil || in && p.Tensors[1].Whole != nil) {
				t.Fatalf("distance %d: forbidden %v %v, but the map says %v\n%+v", d, in, ranges, err, p)
			}
		}
		for k := 1; k < len(ranges); k++ {
			if ranges[k].Lo <= ranges[k-1].Hi+1 {
				t.Fatalf("not disjoint: %v", ranges)
			}
		}
	})
}

// TestStrategiesOnTiles lets the map judge every strategy; Solve asks it.
func TestStrategiesOnTiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Problem{Semantics: rapid.SampledFrom([]lifetime.Semantics{lifetime.Atomic, lifetime.Simultaneous}).Draw(t, "semantics")}
		for range rapid.IntRange(0, 5).Draw(t, "n") {
			p.Tensors = append(p.Tensors, drawTensor(t))
		}
		exact, err := Solve(context.Background(), p, alloc.Options{Strategy: alloc.Exact})
		if err != nil || !exact.Optimal {
			t.Fatalf("%+v: %v", exact, err)
		}
		for _, s := range alloc.Strategies(alloc.Offsets) {
			plan, err := Solve(context.Background(), p, alloc.Options{Strategy: s.Name, SearchNodes: 1000})
			if err != nil || plan.Total < exact.Total {
				t.Fatalf("%s: %+v, the least is %d: %v", s.Name, plan, exact.Total, err)
			}
		}
	})
}

// TestWholeLives: tensors of one tile each are records.
func TestWholeLives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p Problem
		for range rapid.IntRange(0, 8).Draw(t, "n") {
			size, first := rapid.Int64Range(1, 9).Draw(t, "size"), rapid.IntRange(0, 6).Draw(t, "first")
			last := first + rapid.IntRange(1, 4).Draw(t, "length")
			p.Tensors = append(p.Tensors, lifetime.Tiled{Size: size, Accesses: []lifetime.Access{writes(first, 0, size), reads(last, 0, size)}})
		}
		records, err := Records(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []string{alloc.Auto, alloc.Exact, alloc.GreedyBySize, "tile-aware-by-peers", "strip-packing"} {
			opt := alloc.Options{Approach: alloc.Offsets, Strategy: s}
			want, err := alloc.Solve(context.Background(), records, opt)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Solve(context.Background(), p, opt)
			if err != nil || got.Total != want.Total || got.Optimal != want.Optimal || s != alloc.Exact && s != alloc.Auto && !slices.Equal(got.Offsets, want.Offsets) {
				t.Fatalf("%s: %+v, as records %+v: %v", s, got, want, err)
			}
		}
	})
}

func TestErrors(t *testing.T) {
	write := writes(1, 0, 4)
	for name, c := range map[string]struct {
		p              Problem
		tensor, access int
	}{
		"semantics":     {Problem{Semantics: "both"}, -1, -1},
		"size":          {Problem{Tensors: []lifetime.Tiled{{Size: -1}}}, 0, -1},
		"alignment":     {Problem{Tensors: []lifetime.Tiled{{Align: -1}}}, 0, -1},
		"never written": {Problem{Tensors: []lifetime.Tiled{{}, {Size: 4}}}, 1, -1},
		"whole":         {Problem{Tensors: []lifetime.Tiled{{Size: 4, Whole: &lifetime.Steps{First: 3, Last: 2}}}}, 0, -1},
		"outside":       {Problem{Tensors: []lifetime.Tiled{{Size: 3, Accesses: []lifetime.Access{write}}}}, 0, 0},
		"below":         {Problem{Tensors: []lifetime.Tiled{{Size: 3, Accesses: []lifetime.Access{writes(1, -1, 2)}}}}, 0, 0},
		"empty":         {Problem{Tensors: []lifetime.Tiled{{Size: 3, Accesses: []lifetime.Access{writes(1, 2, 2)}}}}, 0, 0},
		"negative step": {Problem{Tensors: []lifetime.Tiled{{Size: 4, Accesses: []lifetime.Access{writes(-1, 0, 4)}}}}, 0, 0},
		"order":         {Problem{Tensors: []lifetime.Tiled{{Size: 4, Accesses: []lifetime.Access{write, writes(0, 0, 4)}}}}, 0, 1},
		"read first":    {Problem{Tensors: []lifetime.Tiled{{Size: 4, Accesses: []lifetime.Access{reads(0, 0, 4), write}}}}, 0, 0},
		"same step":     {Problem{Tensors: []lifetime.Tiled{{Size: 4, Accesses: []lifetime.Access{write, reads(1, 0, 4)}}}}, 0, 1},
		"one byte":      {Problem{Tensors: []lifetime.Tiled{{Size: 5, Accesses: []lifetime.Access{write, reads(2, 0, 5)}}}}, 0, 1},
		"too much":      {Problem{Tensors: []lifetime.Tiled{{Size: 1 << 62, Accesses: []lifetime.Access{write}}}}, -1, -1},
	} {
		_, err := Solve(context.Background(), c.p, alloc.Options{})
		var e *Error
		if !errors.As(err, &e) || e.Tensor != c.tensor || e.Access != c.access {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCheckRefuses gives the map what it is to see.
func TestCheckRefuses(t *testing.T) {
	in := lifetime.Tiled{Size: 4, Accesses: []lifetime.Access{writes(0, 0, 4), reads(1, 0, 2), reads(2, 2, 4)}}
	out := lifetime.Tiled{Size: 4, Accesses: []lifetime.Access{writes(1, 0, 2), writes(2, 2, 4), reads(3, 0, 4)}}
	both := []lifetime.Tiled{in, out}
	for name, c := range map[string]struct {
		p       Problem
		offsets []int64
		total   int64
		right   bool
	}{
		"in place":            {Problem{both, lifetime.Atomic}, []int64{0, 0}, 4, true},
		"in place, at once":   {Problem{both, lifetime.Simultaneous}, []int64{0, 0}, 4, false},
		"one row behind":      {Problem{both, lifetime.Simultaneous}, []int64{2, 0}, 6, true},
		"before it is read":   {Problem{both, lifetime.Atomic}, []int64{0, 2}, 6, false},
		"total":               {Problem{both, lifetime.Atomic}, []int64{0, 0}, 5, false},
		"length":              {Problem{both, lifetime.Atomic}, []int64{0}, 4, false},
		"negative":            {Problem{both, lifetime.Atomic}, []int64{0, -1}, 4, false},
		"two writes":          {Problem{[]lifetime.Tiled{in, {Size: 1, Accesses: []lifetime.Access{writes(0, 0, 1)}}}, lifetime.Atomic}, []int64{0, 1}, 4, false},
		"outside":             {Problem{[]lifetime.Tiled{{Size: 1, Accesses: []lifetime.Access{writes(0, 0, 2)}}}, lifetime.Atomic}, []int64{0}, 1, false},
		"order":               {Problem{[]lifetime.Tiled{{Size: 1, Accesses: []lifetime.Access{writes(1, 0, 1), writes(0, 0, 1)}}}, lifetime.Atomic}, []int64{0}, 1, false},
		"read, never written": {Problem{[]lifetime.Tiled{{Size: 1, Accesses: []lifetime.Access{reads(1, 0, 1)}}}, lifetime.Atomic}, []int64{0}, 1, false},
		"whole, written over": {Problem{[]lifetime.Tiled{{Size: 4, Whole: &lifetime.Steps{First: 0, Last: 5}}, out}, lifetime.Atomic}, []int64{0, 0}, 4, false},
		"alignment":           {Problem{[]lifetime.Tiled{{Size: 1, Align: 4, Accesses: in.Accesses[:0]}}, lifetime.Atomic}, []int64{2}, 3, false},
	} {
		if err := Check(c.p, c.offsets, c.total); (err == nil) != c.right {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Rows that are made some channels at a time forbid a few ranges, however many places each channel
// has: no more is held on the way.
func TestForbiddenOfManyPlaces(t *testing.T) {
	const rows, pixels, channels, part = 200, 300, 48, 28
	tensor := func(shift int) lifetime.Tiled {
		x := lifetime.Tiled{Size: rows * pixels * channels}
		for r := range int64(rows) {
			for half := range int64(2) {
				for p := range int64(pixels) {
					lo := (r*pixels+p)*channels + half*part
					hi := min(lo+part, (r*pixels+p+1)*channels)
					x.Accesses = append(x.Accesses, writes(int(2*r+half)+shift, lo, hi))
				}
			}
		}
		x.Accesses = append(x.Accesses, reads(2*rows+shift, 0, x.Size))
		return x
	}
	v, err := Problem{Tensors: []lifetime.Tiled{tensor(0), tensor(1)}}.view()
	if err != nil {
		t.Fatal(err)
	}
	const most = 64 << 20
	allocated := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.TotalAlloc
	}
	before := allocated()
	ranges := v.forbidden(0, 1)
	if bytes := allocated() - before; bytes > most {
		t.Errorf("%d B were allocated for %d ranges, want at most %d", bytes, len(ranges), most)
	}
}

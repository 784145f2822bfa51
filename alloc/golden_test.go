package alloc

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/lifetime"
)

// rec builds a record without alignment or pin.
func rec(size int64, first, last int) lifetime.Record {
	return lifetime.Record{First: first, Last: last, Size: size}
}

// aligned returns a copy of the records with one alignment for all.
func aligned(records Records, align int64) Records {
	var out Records
	for _, r := range records {
		r.Align = align
		out = append(out, r)
	}
	return out
}

func solve(t testing.TB, records Records, a Approach, strategy string) *Plan {
	t.Helper()
	plan, err := Solve(context.Background(), records, Options{Approach: a, Strategy: strategy})
	if err != nil {
		t.Fatalf("%s %s: %v", a, strategy, err)
	}
	return plan
}

// The problems of the GPU delegate's own unit tests (one, chain, complex) and the
// problems B to E, made to tell tie-breaks apart; their answers were computed by the
// delegate's code.
var (
	oneRecord = Records{rec(16, 0, 1)}
	chain     = Records{rec(16, 0, 1), rec(8, 1, 2), rec(64, 2, 3), rec(32, 3, 4), rec(8, 4, 5)}
	complex   = Records{
		rec(32, 0, 1), rec(32, 1, 4), rec(8, 2, 5), rec(16, 3, 5), rec(8, 4, 5),
		rec(64, 5, 7), rec(8, 6, 8), rec(8, 7, 8), rec(16, 8, 9),
	}
	problemB = Records{
		rec(48, 0, 2), rec(32, 0, 4), rec(24, 1, 3), rec(48, 2, 5), rec(8, 3, 6),
		rec(40, 4, 6), rec(24, 5, 7), rec(16, 6, 8), rec(48, 7, 8),
	}
	problemC = Records{
		rec(40, 0, 1), rec(20, 0, 3), rec(12, 1, 6), rec(36, 2, 4), rec(20, 3, 5),
		rec(36, 5, 6), rec(40, 6, 8), rec(10, 7, 9), rec(33, 8, 9),
	}
	problemD = Records{
		rec(30, 0, 9), rec(10, 0, 1), rec(20, 0, 2), rec(10, 0, 9), rec(12, 2, 3),
		rec(8, 2, 4), rec(10, 3, 4), rec(20, 4, 9),
	}
	problemE = Records{
		rec(100, 0, 1), rec(60, 0, 1), rec(80, 0, 1), rec(70, 2, 3), rec(90, 2, 3),
		rec(65, 4, 5), rec(200, 4, 5), rec(10, 6, 7),
	}
)

func TestSharedGolden(t *testing.T) {
	const (
		size    = "greedy-by-size-distance"
		breadth = "greedy-by-breadth"
		order   = "greedy-in-order"
		flow    = "min-cost-flow"
	)
	tests := []struct {
		name       string
		records    Records
		strategies []string
		objects    []int
		sizes      []int64
	}{
		{"one", oneRecord, []string{"naive", "equality", flow, order, breadth, size}, []int{0}, []int64{16}},
		{"chain", chain, []string{"naive"}, []int{0, 1, 2, 3, 4}, []int64{16, 8, 64, 32, 8}},
		{"chain", chain, []string{"equality"}, []int{0, 1, 2, 3, 1}, []int64{16, 8, 64, 32}},
		{"chain", chain, []string{flow, order, breadth, size}, []int{0, 1, 0, 1, 0}, []int64{64, 32}},
		{"complex", complex, []string{"naive"}, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, []int64{32, 32, 8, 16, 8, 64, 8, 8, 16}},
		{"complex", complex, []string{"equality"}, []int{0, 1, 2, 3, 4, 5, 4, 2, 3}, []int64{32, 32, 8, 16, 8, 64}},
		{"complex", complex, []string{flow}, []int{0, 1, 2, 0, 3, 1, 3, 2, 0}, []int64{32, 64, 8, 8}},
		{"complex", complex, []string{order}, []int{0, 1, 0, 2, 3, 1, 3, 2, 0}, []int64{32, 64, 16, 8}},
		{"complex", complex, []string{breadth}, []int{0, 4, 2, 1, 3, 0, 2, 3, 1}, []int64{64, 16, 8, 8, 32}},
		{"complex", complex, []string{size}, []int{1, 0, 2, 1, 3, 0, 1, 2, 0}, []int64{64, 32, 8, 8}},
		{"B", problemB, []string{"equality"}, []int{0, 1, 2, 3, 4, 5, 2, 6, 3}, []int64{48, 32, 24, 48, 8, 40, 16}},
		{"B", problemB, []string{order}, []int{0, 1, 2, 3, 0, 2, 1, 3, 0}, []int64{48, 32, 40, 48}},
		{"B", problemB, []string{breadth}, []int{0, 2, 3, 1, 4, 0, 3, 2, 0}, []int64{48, 48, 32, 24, 8}},
		{"B", problemB, []string{size}, []int{0, 2, 3, 1, 4, 0, 2, 1, 0}, []int64{48, 48, 32, 24, 8}},
		{"B", problemB, []string{flow}, []int{0, 1, 2, 3, 4, 0, 1, 2, 3}, []int64{48, 32, 24, 48, 8}},
		{"C", problemC, []string{"equality"}, []int{0, 1, 2, 3, 4, 3, 0, 5, 6}, []int64{40, 20, 12, 36, 20, 10, 33}},
		{"C", problemC, []string{order}, []int{0, 1, 2, 0, 3, 0, 3, 2, 0}, []int64{40, 20, 12, 40}},
		{"C", problemC, []string{breadth}, []int{0, 1, 3, 0, 2, 1, 0, 3, 1}, []int64{40, 36, 20, 12}},
		{"C", problemC, []string{size}, []int{0, 1, 3, 0, 2, 1, 0, 2, 1}, []int64{40, 36, 20, 12}},
		{"C", problemC, []string{flow}, []int{0, 1, 2, 0, 3, 0, 3, 1, 0}, []int64{40, 20, 12, 40}},
		{"D", problemD, []string{"equality"}, []int{0, 1, 2, 3, 4, 5, 1, 2}, []int64{30, 10, 20, 10, 12, 8}},
		{"D", problemD, []string{order, flow}, []int{0, 1, 2, 3, 1, 4, 2, 1}, []int64{30, 20, 20, 10, 8}},
		{"D", problemD, []string{breadth}, []int{0, 5, 1, 3, 2, 4, 5, 1}, []int64{30, 20, 12, 10, 8, 10}},
		{"D", problemD, []string{size}, []int{0, 2, 1, 3, 2, 5, 4, 1}, []int64{30, 20, 12, 10, 10, 8}},
		{"E", problemE, []string{"equality"}, []int{0, 1, 2, 3, 4, 5, 6, 7}, []int64{100, 60, 80, 70, 90, 65, 200, 10}},
		{"E", problemE, []string{order}, []int{0, 1, 2, 2, 0, 1, 0, 1}, []int64{200, 65, 80}},
		{"E", problemE, []string{breadth}, []int{0, 2, 1, 1, 0, 1, 0, 2}, []int64{200, 80, 60}},
		{"E", problemE, []string{size}, []int{0, 2, 1, 1, 0, 1, 0, 0}, []int64{200, 80, 60}},
		{"E", problemE, []string{flow}, []int{0, 1, 2, 2, 0, 2, 0, 1}, []int64{200, 60, 80}},
	}
	for _, test := range tests {
		for _, strategy := range test.strategies {
			t.Run(test.name+"/"+strategy, func(t *testing.T) {
				plan := solve(t, test.records, Shared, strategy)
				if diff := cmp.Diff(test.objects, plan.Objects); diff != "" {
					t.Errorf("objects, want - got +:\n%s", diff)
				}
				if diff := cmp.Diff(test.sizes, plan.ObjectSizes); diff != "" {
					t.Errorf("object sizes, want - got +:\n%s", diff)
				}
			})
		}
	}
}

func TestOffsetsGolden(t *testing.T) {
	const size, tflm = "greedy-by-size", "tflm-greedy"
	tests := []struct {
		name     string
		records  Records
		align    int64
		strategy string
		total    int64
		offsets  []int64 // nil: only the total is known
	}{
		{"one", oneRecord, 1, size, 16, []int64{0}},
		{"chain", chain, 1, size, 96, []int64{0, 64, 0, 64, 0}},
		{"chain", chain, 128, size, 160, []int64{0, 128, 0, 128, 0}},
		{"complex", complex, 1, size, 96, []int64{0, 32, 80, 64, 88, 0, 64, 72, 0}},
		{"complex", complex, 16, size, 104, nil},
		{"complex", complex, 64, size, 264, nil},
		{"B", problemB, 1, size, 152, []int64{0, 96, 128, 48, 40, 0, 96, 48, 0}},
		{"B", problemB, 16, size, 168, nil},
		{"B", problemB, 64, size, 264, nil},
		{"B", problemB, 1, tflm, 160, []int64{48, 96, 128, 0, 152, 48, 88, 112, 0}},
		{"C", problemC, 1, size, 108, []int64{0, 40, 96, 0, 76, 40, 0, 73, 40}},
		{"C", problemC, 16, size, 140, nil},
		{"C", problemC, 64, size, 204, nil},
		{"D", problemD, 1, size, 90, []int64{0, 50, 30, 62, 50, 82, 72, 30}},
		{"D", problemD, 16, size, 120, nil},
		{"D", problemD, 64, size, 328, nil},
		{"D", problemD, 1, tflm, 90, []int64{0, 50, 30, 72, 50, 82, 62, 30}},
		{"E", problemE, 1, size, 265, []int64{0, 180, 100, 90, 0, 200, 0, 0}},
		{"E", problemE, 16, size, 273, nil},
		{"E", problemE, 64, size, 321, nil},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%s/%s/%d", test.name, test.strategy, test.align), func(t *testing.T) {
			plan := solve(t, aligned(test.records, test.align), Offsets, test.strategy)
			if plan.Total != test.total {
				t.Errorf("total %d, want %d", plan.Total, test.total)
			}
			if diff := cmp.Diff(test.offsets, plan.Offsets); diff != "" && test.offsets != nil {
				t.Errorf("offsets, want - got +:\n%s", diff)
			}
		})
	}
}

// pinnedAt pins the first records at the given offsets.
func pinnedAt(records Records, offsets ...int64) Records {
	out := append(Records(nil), records...)
	for i, offset := range offsets {
		out[i].Pinned, out[i].Offset = true, offset
	}
	return out
}

// TestTFLMGolden has the answers of TensorFlow Lite Micro's GreedyMemoryPlanner, from
// its unit tests and from runs.
func TestTFLMGolden(t *testing.T) {
	four := Records{rec(112, 0, 1), rec(208, 1, 2), rec(304, 2, 3), rec(48, 3, 3)}
	scratch := append(append(Records(nil), four...), rec(96, 1, 1), rec(64, 2, 2), rec(1008, 3, 3))
	tests := []struct {
		records Records
		offsets []int64
		total   int64
	}{
		{Records{rec(10, 0, 1), rec(20, 2, 3)}, []int64{0, 0}, 20},
		{Records{rec(10, 0, 1), rec(20, 1, 2), rec(30, 2, 3), rec(40, 3, 4), rec(50, 0, 1)}, []int64{50, 70, 40, 0, 0}, 90},
		{Records{rec(100, 0, 1), rec(50, 2, 3), rec(20, 1, 2)}, nil, 120},
		{four, []int64{0, 304, 0, 304}, 512},
		{scratch, []int64{208, 0, 1008, 1312, 320, 208, 0}, 1360},
		{pinnedAt(scratch, 0, 112, 320, 0), []int64{0, 112, 320, 0, 320, 0, 624}, 1632},
		{pinnedAt(four, 512, 0, 304, 1024), []int64{512, 0, 304, 1024}, 1072},
		{pinnedAt(four, 3, 117, 333, 7), []int64{3, 117, 333, 7}, 637},
		{Records{rec(48, 0, 2), rec(48, 1, 3), rec(48, 2, 3), rec(48, 3, 3)}, []int64{0, 96, 48, 0}, 144},
	}
	for i, test := range tests {
		plan := solve(t, test.records, Offsets, "tflm-greedy")
		if plan.Total != test.total {
			t.Errorf("problem %d: total %d, want %d", i, plan.Total, test.total)
		}
		if diff := cmp.Diff(test.offsets, plan.Offsets); diff != "" && test.offsets != nil {
			t.Errorf("problem %d: offsets, want - got +:\n%s", i, diff)
		}
	}
}

// TestLiteRTGolden has the placements that SimpleMemoryArena's and ArenaPlanner's
// unit tests expect. The latter does not tell tensor 8's size: any up to 64 does.
func TestLiteRTGolden(t *testing.T) {
	arena := aligned(Records{rec(2047, 1, 3), rec(2047, 2, 5), rec(2047, 3, 6), rec(2047, 5, 6), rec(1023, 4, 6), rec(1023, 6, 6)}, 32)
	plan := solve(t, arena, Offsets, "litert-arena")
	if diff := cmp.Diff([]int64{0, 2048, 4096, 0, 6144, 2048}, plan.Offsets); diff != "" {
		t.Errorf("arena, want - got +:\n%s", diff)
	}
	planner := aligned(Records{
		rec(32, 0, 7), rec(28, 0, 3), rec(36, 1, 4), rec(16, 2, 4), rec(8, 3, 4),
		rec(64, 4, 6), rec(10, 5, 7), rec(40, 6, 7), rec(4, 7, 7),
	}, 4)
	plan = solve(t, planner, Offsets, "litert-arena")
	if diff := cmp.Diff([]int64{0, 32, 96, 132, 148, 32, 136, 96, 32}, plan.Offsets); diff != "" {
		t.Errorf("planner, want - got +:\n%s", diff)
	}
}

func TestToOffsetsGolden(t *testing.T) {
	sizes := []int64{16, 8, 32, 32, 4, 16}
	objects := []int{2, 0, 2, 1, 3, 3, 1, 5}
	var records Records
	for k, object := range objects {
		records = append(records, rec(sizes[object], k, k))
	}
	p := &Plan{Approach: Shared, Objects: objects, ObjectSizes: sizes, Total: 108}
	got, err := p.ToOffsets(records)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int64{24, 0, 24, 16, 56, 56, 16, 92}, got.Offsets); diff != "" {
		t.Errorf("offsets, want - got +:\n%s", diff)
	}
	if got.Approach != Offsets || got.Total != 108 || got.LowerBound != 32 || got.Optimal {
		t.Errorf("got %+v", got)
	}
}

package edit

import (
	"math/rand/v2"
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
)

// TestPack: placed data lies in a range, aligned, after its length, without overlap; unplaced
// data would not fit after it.
func TestPack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var ranges []freeRange
		at := int64(64)
		for range rapid.IntRange(0, 5).Draw(t, "ranges") {
			at += 4 * rapid.Int64Range(0, 20).Draw(t, "gap")
			size := 4 + rapid.Int64Range(1, 500).Draw(t, "size")
			ranges = append(ranges, freeRange{len(ranges), at, at + size})
			at = integer.RoundUp(at+size, 4)
		}
		sizes := rapid.SliceOfN(rapid.IntRange(1, 200), 0, 20).Draw(t, "sizes")
		places, taken := pack(ranges, sizes)
		least := 1 << 30
		var placed []freeRange
		for i, at := range places {
			if at == 0 {
				least = min(least, sizes[i])
				continue
			}
			if at%patch.Alignment != patch.Alignment-lengthBytes {
				t.Fatalf("data at %d", at+lengthBytes)
			}
			placed = append(placed, freeRange{i, at, at + lengthBytes + int64(sizes[i])})
		}
		slices.SortFunc(placed, byPosition)
		for _, r := range ranges {
			end := r.from
			for ; len(placed) > 0 && placed[0].from < r.to; placed = placed[1:] {
				if placed[0].from < end || placed[0].to > r.to {
					t.Fatalf("%+v is not in %+v", placed[0], r)
				}
				end = placed[0].to
			}
			if (end > r.from) != slices.Contains(taken, r) {
				t.Fatalf("%+v is not among %+v", r, taken)
			}
			if left := r.to - integer.RoundUp(end+lengthBytes, patch.Alignment); left >= int64(least) {
				t.Fatalf("data of %d B would fit into the last %d B of %+v", least, left, r)
			}
		}
		if len(placed) > 0 || !slices.IsSortedFunc(taken, byPosition) {
			t.Fatalf("%+v in no range of %+v", placed, taken)
		}
	})
}

// TestPackOne: all but one of a constant's equal pieces reuse its space, unless the pieces are
// small.
func TestPackOne(t *testing.T) {
	for k := 2; k <= 32; k++ {
		for _, size := range []int{16 * k, 1024, 4096} {
			sizes := make([]int, k)
			for i := range sizes {
				sizes[i] = size
			}
			places, _ := pack([]freeRange{{0, 60, int64(64 + k*size)}}, sizes)
			in := 0
			for _, at := range places {
				if at > 0 {
					in++
				}
			}
			if in != k-1 {
				t.Errorf("%d pieces of %d of %d B", in, k, size)
			}
		}
	}
}

// The audit sees each byte of the new file that is not what it should be: in the ranges, and
// of the old bytes, whether anything refers to them or not.
func TestAuditFreeRanges(t *testing.T) {
	m := modelfile.Build(t, weighted(rand.New(rand.NewPCG(1, 0)), 400, 90))
	e := keepAll(m, 0)
	for i := range 2 {
		e.inParts(m, i, slicesOf(m.Buffers[i+1].Data, 3)...)
	}
	w, err := newEditor(m, &e.Edit)
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := applied(m, &e.Edit, rewrite.Options{})
	if err != nil || len(w.freeRanges) != 2 {
		t.Fatalf("%v, ranges %v", err, w.freeRanges)
	}
	sites, _ := patch.FindSites(m)
	if err := w.audit(out, sites); err != nil {
		t.Fatal(err)
	}
	for i := w.Shift(); i < int64(len(out)); i++ {
		out[i] ^= 4
		if w.audit(out, sites) == nil {
			t.Fatalf("the byte at %#x is another, and nothing is said", i)
		}
		out[i] ^= 4
	}
	// Other data at the same place, of the same length.
	w.buffers[0][0]++
	if w.audit(out, sites) == nil {
		t.Error("another piece, and nothing is said")
	}
}

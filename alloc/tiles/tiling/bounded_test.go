package tiling_test

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/expiry"
	"github.com/tflarena/tflarena/tflite"
)

// However large the tensors of a small model are, few sizes of tiles are looked at, and few accesses
// are held.
func TestHugeTensorsTakeLittle(t *testing.T) {
	const (
		operators = 5
		looks     = tiling.MaxAccesses + 2*operators*tiling.MaxAccesses/32 // for each step, and each size of tiles
		most      = 1 << 30                                                // of all that is allocated, at most a fifth of which is in use at a time
	)
	for _, name := range []string{"tiles_2p24.tflite", "tiles_2p28.tflite"} {
		m, err := tflite.Open(filepath.Join(corpus.Dir(t), "found", "second", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []tiling.Options{
			{OnChip: 1 << 30},
			{OnChip: 1 << 30, Cascade: 8},
			{OnChip: 1 << 20, Most: 1000, Cascade: 5},
			{OnChip: 16 << 10, Cascade: 8},
			{OnChip: 1 << 20, Cut: tiling.Pixels, Cascade: 8},
			{OnChip: 1 << 26, Cascade: 64},
		} {
			ctx := expiry.New(1 << 30)
			before := allocated()
			s, err := tiling.New(ctx, m, 0, o)
			if ctx.Asked() > looks {
				t.Errorf("%s, %+v: looked %d times, want at most %d (%v)", name, o, ctx.Asked(), looks, err)
			}
			if bytes := allocated() - before; bytes > most {
				t.Errorf("%s, %+v: %d B were allocated, want at most %d (%v)", name, o, bytes, most, err)
			}
			runtime.KeepAlive(s)
		}
	}
}

// allocated returns how many bytes were ever allocated.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

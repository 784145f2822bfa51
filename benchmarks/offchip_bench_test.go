package benchmarks

import (
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/tiles"
	"github.com/tflarena/tflarena/alloc/tiles/tiling"
)

// BenchmarkOffChip measures what table 2 of Kvochko et al. 2024 has: how long it takes to place
// the tensors of a network, tile by tile in the paper's three orders, and whole by the three
// strategies that it compares with. The network is cut beforehand, as it is in the paper.
func BenchmarkOffChip(b *testing.B) {
	for _, n := range tiledNetworks {
		m := n.model(b)
		s := cutInto(b, m, tiling.Options{OnChip: 512 << 10})
		b.Run(n.network+"/tiles", func(b *testing.B) {
			for range b.N {
				for _, order := range []string{"tile-aware-by-size", "tile-aware-by-length", "tile-aware-by-peers"} {
					if _, err := tiles.Solve(b.Context(), tiles.Problem{Tensors: s.Tensors}, alloc.Options{Strategy: order}); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n.tiledMicros), "paper's")
		})
		b.Run(n.network+"/shared", func(b *testing.B) {
			for range b.N {
				fewestShared(b, s.WholeTensors)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n.sharedMicros), "paper's")
		})
	}
}

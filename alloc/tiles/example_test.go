package tiles_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/tiles"
	"github.com/tflarena/tflarena/lifetime"
)

// An output is written row by row while the input is read: it may overlap the rows of the input that
// are no longer needed, one row later.
func Example() {
	in := lifetime.Tiled{Name: "in", Size: 400, Accesses: []lifetime.Access{{Step: 0, Write: true, Lo: 0, Hi: 400}}}
	out := lifetime.Tiled{Name: "out", Size: 400}
	for row := range 4 {
		lo, hi := int64(100*row), int64(100*row+100)
		in.Accesses = append(in.Accesses, lifetime.Access{Step: 1 + row, Lo: lo, Hi: hi})
		out.Accesses = append(out.Accesses, lifetime.Access{Step: 1 + row, Write: true, Lo: lo, Hi: hi})
	}
	out.Accesses = append(out.Accesses, lifetime.Access{Step: 5, Lo: 0, Hi: 400})

	p := tiles.Problem{Tensors: []lifetime.Tiled{in, out}, Semantics: lifetime.Simultaneous}
	plan, err := tiles.Solve(context.Background(), p, alloc.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(plan.Total, "bytes at", plan.Offsets, "proven:", plan.Optimal)
	// Output:
	// 500 bytes at [100 0] proven: true
}

// The tile of section III.C.1 of the paper has four runs of bytes.
func ExampleTile_Chunks() {
	tile := tiles.Tile{Offset: []int64{0, 0, 0}, Size: []int64{4, 64, 128}, Stride: []int64{16384, 128, 1}, Element: 1}
	fmt.Println(tile.Chunks())
	// Output:
	// [{0 8192} {16384 24576} {32768 40960} {49152 57344}]
}

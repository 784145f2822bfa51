package mip_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/tflarena/tflarena/alloc/mip"
	"github.com/tflarena/tflarena/lifetime"
)

// Two tensors that are alive together.
var pair = []lifetime.Record{
	{ID: "0:0", Name: "a", First: 0, Last: 1, Size: 96},
	{ID: "0:1", Name: "b", First: 1, Last: 2, Size: 64},
}

func ExampleWriteLP() {
	if err := mip.WriteLP(os.Stdout, pair, nil, 160); err != nil {
		log.Fatal(err)
	}
	// Output:
	// \ The smallest arena for 2 records: minimise u, in units of 32 B.
	// \ zI_J is 1 when record I does not lie below record J. The rows d and f follow from the others.
	// \ x0: offset / 32 of record "0:0"
	// \ x1: offset / 32 of record "0:1"
	// Minimize
	//  obj: u
	// Subject To
	//  t0: u - x0 >= 3
	//  t1: u - x1 >= 2
	//  a0_1: x0 - x1 - 5 z0_1 <= -3
	//  b0_1: x1 - x0 + 5 z0_1 <= 3
	//  d0_0: - 2 z0_1 + x0 >= 0
	//  f0_0: 2 z0_1 + u - x0 >= 5
	//  d0_1: 3 z0_1 + x1 >= 3
	//  f0_1: - 3 z0_1 + u - x1 >= 2
	// Bounds
	//  0 <= u <= 5
	//  0 <= x0 <= 2
	//  0 <= x1 <= 3
	//  0 <= z0_1 <= 1
	// Generals
	//  u
	//  x0
	//  x1
	//  z0_1
	// End
}

// CBC wrote this file with "cbc pair.lp solve solution pair.txt".
func ExampleReadSolution() {
	const solution = `Optimal - objective value 5.00000000
      0 u                      5                       1
      1 x0                     2                       0
      2 x1                     0                       0
      3 z0_1                   1                       0
`
	offsets, total, err := mip.ReadSolution(strings.NewReader(solution), pair, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(offsets, total)
	// Output:
	// [64 0] 160
}

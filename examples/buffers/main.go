// Command buffers packs the buffers of a program without neural networks into one block of memory, and
// prints their offsets.
//
//	go run ./examples/buffers
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/export"
	"github.com/tflarena/tflarena/lifetime"
)

// Buffers of a camera's pipeline: the steps in which each is in use, both inclusive, and its size in
// bytes. The hardware requires multiples of 64.
var buffers = []lifetime.Record{
	{ID: "0", Name: "frame", First: 0, Last: 1, Size: 640 * 480 * 2, Align: 64},
	{ID: "1", Name: "grey", First: 1, Last: 3, Size: 640 * 480, Align: 64},
	{ID: "2", Name: "half", First: 2, Last: 3, Size: 320 * 240, Align: 64},
	{ID: "3", Name: "edges", First: 3, Last: 4, Size: 640 * 480, Align: 64},
	{ID: "4", Name: "jpeg", First: 4, Last: 5, Size: 100_000, Align: 64},
}

func main() {
	plan, err := alloc.Solve(context.Background(), buffers, alloc.Options{Approach: alloc.Offsets})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("#", plan.Total, "bytes, proven optimal:", plan.Optimal)
	if err := export.Write(os.Stdout, "csv", &export.Plan{Name: "camera", Records: buffers, Places: plan}); err != nil {
		log.Fatal(err)
	}
}

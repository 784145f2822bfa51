package inplace_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/lifetime"
)

// Each tensor may lie where the one before it lies. The problem falls into parts where a
// single tensor is handed on.
func ExampleChain_Least() {
	records := []lifetime.Record{
		{Name: "a", First: 0, Last: 1, Size: 64},
		{Name: "b", First: 1, Last: 2, Size: 64},
		{Name: "c", First: 2, Last: 3, Size: 32},
		{Name: "d", First: 3, Last: 3, Size: 48},
	}
	takeovers := []lifetime.Takeover{{From: 0, To: 1}, {From: 1, To: 2}}
	c, err := inplace.NewChain(records, takeovers, nil)
	if err != nil {
		log.Fatal(err)
	}
	const naive, nodes = 208, 10_000
	total, offsets, ok := c.Least(context.Background(), naive, nodes, 0)
	fmt.Println(ok, total, "bytes in", c.Links(), "links, no plan is below", c.Bound())
	fmt.Println(offsets)
	// Output:
	// true 80 bytes in 3 links, no plan is below 80
	// [0 0 0 32]
}

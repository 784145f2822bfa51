package inplace_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/lifetime"
)

// The operator at position 1 is element-wise, so that its output b may lie where its input a lies:
// the two become one record.
func ExampleMerge() {
	records := []lifetime.Record{
		{Name: "a", First: 0, Last: 1, Size: 64},
		{Name: "b", First: 1, Last: 2, Size: 64},
		{Name: "c", First: 2, Last: 3, Size: 32},
	}
	takeovers := []lifetime.Takeover{{From: 0, To: 1, Why: "RELU writes an element after it has read it"}}

	m := inplace.Merge(records, takeovers, nil)
	fmt.Println("groups:", m.Groups)
	plan, err := alloc.Solve(context.Background(), m.Records, alloc.Options{Approach: alloc.Offsets})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("offsets:", m.Offsets(plan.Offsets))
	fmt.Println("bytes:", plan.Total, "instead of", lifetime.MaxBreadth(records))
	// Output:
	// groups: [[0 1] [2]]
	// offsets: [0 0 64]
	// bytes: 96 instead of 128
}

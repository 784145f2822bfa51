package inplace_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/lifetime"
)

// An activation function writes its output over its input.
func ExampleChoose() {
	records := []lifetime.Record{
		{ID: "convolved", First: 0, Last: 1, Size: 4096},
		{ID: "activated", First: 1, Last: 2, Size: 4096},
		{ID: "pooled", First: 2, Last: 3, Size: 1024},
	}
	permitted := []lifetime.Takeover{{From: 0, To: 1, Why: "RELU is element-wise"}}
	ctx := context.Background()
	choice, err := inplace.Choose(ctx, []inplace.Freedom{{Records: records}, {Records: records, Takeovers: permitted}}, inplace.Look(alloc.Auto))
	if err != nil {
		log.Fatal(err)
	}
	merged, err := alloc.Solve(ctx, choice.Merged.Records, alloc.Options{Approach: alloc.Offsets})
	if err != nil {
		log.Fatal(err)
	}
	plan, err := choice.Plan(merged)
	if err != nil {
		log.Fatal(err)
	}
	for i, r := range choice.Records {
		fmt.Println(r.ID, "at", plan.Offsets[i])
	}
	fmt.Println("total:", plan.Total)
	// Output:
	// convolved at 0
	// activated at 0
	// pooled at 4096
	// total: 5120
}

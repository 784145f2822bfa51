package chainer_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tflarena/tflarena/alloc/replay"
	"github.com/tflarena/tflarena/alloc/replay/chainer"
)

// Inference with AlexNet needs what the paper proves.
func Example() {
	alexNet := chainer.Networks()[0]
	trace, err := alexNet.Trace(chainer.Options{Batch: 1, Batches: 1})
	if err != nil {
		log.Fatal(err)
	}
	profile, err := replay.NewProfile(trace.Devices[0], trace.Granule)
	if err != nil {
		log.Fatal(err)
	}
	plan, err := profile.Plan(context.Background(), replay.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(plan.Total, plan.Optimal)
	// Output: 10169344 true
}

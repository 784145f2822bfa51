package cache_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tflarena/tflarena/alloc/cache"
	"github.com/tflarena/tflarena/lifetime"
)

// The last tensor can lie at 128, whose lines are no longer in the cache, or at 0, where the first one has
// just been read.
func ExampleImprove() {
	records := []lifetime.Record{
		{ID: "first", First: 0, Last: 1, Size: 64},
		{ID: "second", First: 1, Last: 2, Size: 64},
		{ID: "third", First: 2, Last: 3, Size: 64},
	}
	offsets := []int64{0, 64, 128}
	problem := cache.Problem{
		Geometry: cache.Geometry{Size: 256, Line: 16, Ways: 4},
		Records:  records, Walk: cache.Walk(records, nil, nil, nil), Constants: 192, Work: 10_000,
	}
	better, err := cache.Improve(context.Background(), problem, offsets)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(better.Before.Misses, "misses ->", better.After.Misses)
	// Output:
	// 12 misses -> 8
}

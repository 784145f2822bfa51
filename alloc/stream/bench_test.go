package stream_test

import (
	"context"
	"testing"

	"github.com/tflarena/tflarena/alloc/stream"
)

// BenchmarkPlan plans at 100 MB without the improving search. The paper has 5.27 ms for VGG-19 and
// 864.67 ms for ResNet-152 on a phone (Li et al. 2024, table 2).
func BenchmarkPlan(b *testing.B) {
	for _, model := range []string{"vgg19", "resnet152"} {
		for _, s := range stream.Strategies() {
			b.Run(model+"/"+s, func(b *testing.B) {
				net := profile(b, model, "r1")
				for b.Loop() {
					if _, err := stream.Solve(context.Background(), net, 100_000_000, stream.Options{Strategy: s, Quick: true}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

package cmsisnn

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAsk asks for sizes that can be computed by hand.
func TestAsk(t *testing.T) {
	q := Question{
		Function: "convolution", Input: [4]int{1, 9, 9, 16}, Filter: [4]int{8, 3, 3, 16}, Output: [4]int{1, 9, 9, 8},
		Padding: [2]int{1, 1}, Stride: [2]int{1, 1}, Dilation: [2]int{1, 1},
	}
	wide := q
	wide.Type = Int16
	want := []Sizes{{576, 576, 576}, {1152, 576, 576}, {0, 64, 0}}
	got := Ask(t, []Question{q, wide, {Function: "average", Input: [4]int{1, 4, 4, 16}, Output: [4]int{1, 1, 1, 16}}})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sizes (-want +got):\n%s", diff)
	}
}

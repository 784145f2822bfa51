package texture

import (
	"errors"
	"testing"

	"golang.org/x/exp/slices"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		tensor []int32
		want   Shape
	}{
		{[]int32{1, 112, 96, 24}, Shape{96, 112 * 6}},
		{[]int32{1, 112, 96, 3}, Shape{96, 112}},
		{[]int32{2, 5, 7, 9}, Shape{14, 15}},
		{[]int32{3, 7, 9}, Shape{21, 3}},
		{[]int32{1, 1001}, Shape{1, 251}},
		{[]int32{5}, Shape{5, 1}},
	} {
		if got, err := Of(c.tensor); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v: %v %v, want %v", c.tensor, got, err, c.want)
		}
	}
	for _, tensor := range [][]int32{{}, {1, 1, 1, 1, 1}, {1, 0, 3, 3}, {-1, 4}} {
		if got, err := Of(tensor); !errors.Is(err, ErrShape) {
			t.Errorf("%v: %v %v", tensor, got, err)
		}
	}
}

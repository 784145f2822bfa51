package problem

import (
	"context"

	"golang.org/x/exp/slices"
)

// Shrink drops rows as long as the rest is still a misfit: first halves, then ever smaller parts. It
// stops when ctx ends.
func Shrink(ctx context.Context, rows []int, misfit func([]int) bool) []int {
	for size := (len(rows) + 1) / 2; ; size = (size + 1) / 2 {
		for at := 0; at < len(rows) && ctx.Err() == nil; {
			rest := append(slices.Clone(rows[:at]), rows[min(at+size, len(rows)):]...)
			if misfit(rest) {
				rows = rest
				continue
			}
			at += size
		}
		if size <= 1 {
			return rows
		}
	}
}

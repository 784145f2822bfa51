package models

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"
	"pgregory.net/rapid"
)

// TestWattsStrogatzLaws: rewiring preserves the number of edges, each edge points from a lower
// to a higher index and is unique, and the graph is connected.
func TestWattsStrogatzLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(6, 40).Draw(t, "nodes")
		chance := rapid.Float64Range(0, 1).Draw(t, "chance")
		seed := rapid.Uint64().Draw(t, "seed")
		wiring := wattsStrogatz(nodes, 4, chance, seed)
		if diff := cmp.Diff(wiring, wattsStrogatz(nodes, 4, chance, seed)); diff != "" {
			t.Errorf("two draws with one seed differ: %s", diff)
		}
		edges, reached := 0, make([]int, nodes) // the lowest node connected to each node
		for i := range reached {
			reached[i] = i
		}
		for i, reads := range wiring {
			edges += len(reads)
			if !slices.IsSorted(reads) || len(slices.Compact(slices.Clone(reads))) != len(reads) {
				t.Errorf("node %d reads %v", i, reads)
			}
			for _, j := range reads {
				if j < 0 || j >= i {
					t.Fatalf("node %d reads %d", i, j)
				}
				merge(reached, i, j)
			}
		}
		if edges != 2*nodes {
			t.Errorf("%d edges of %d nodes", edges, nodes)
		}
		if slices.Max(reached) != 0 {
			t.Errorf("the graph falls apart: %v", wiring)
		}
	})
}

// merge renames the groups of two nodes to the lower name.
func merge(group []int, i, j int) {
	low, high := min(group[i], group[j]), max(group[i], group[j])
	for k := range group {
		if group[k] == high {
			group[k] = low
		}
	}
}

// TestWattsStrogatzUnmoved has the ring itself: with probability 0, each node reads the two
// before it, and the last two close the ring.
func TestWattsStrogatzUnmoved(t *testing.T) {
	want := [][]int{nil, {0}, {0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 4, 5}, {0, 1, 5, 6}}
	if diff := cmp.Diff(want, wattsStrogatz(8, 4, 0, 1)); diff != "" {
		t.Error(diff)
	}
}

// TestWattsStrogatzMoves counts the moved edges: about three quarters, some of them to a former
// position.
func TestWattsStrogatzMoves(t *testing.T) {
	ring := map[[2]int]bool{}
	for i, reads := range wattsStrogatz(32, 4, 0, 1) {
		for _, j := range reads {
			ring[[2]int{i, j}] = true
		}
	}
	const draws = 500
	kept := 0
	for seed := range uint64(draws) {
		for i, reads := range wattsStrogatz(32, 4, 0.75, seed) {
			for _, j := range reads {
				if ring[[2]int{i, j}] {
					kept++
				}
			}
		}
	}
	// A quarter stays; some of the moved ones return to the ring, at most in proportion to its
	// free positions, about one in sixteen.
	if share := float64(kept) / (draws * 64); share < 0.25 || share > 0.35 {
		t.Errorf("%.3f of the edges lie on the ring", share)
	}
}

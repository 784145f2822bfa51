package models

import (
	"math/rand/v2"

	"golang.org/x/exp/slices"
)

// wattsStrogatz draws a random graph and directs it as RandWire does (section 3.3 of its
// paper): nodes on a ring, each joined with its degree/2 neighbours on either side; each edge
// is rewired with the given probability; all edges point from the lower to the higher index. It
// returns the nodes that each node reads, ascending. Disconnected graphs, which are rare, are
// drawn again.
func wattsStrogatz(nodes, degree int, chance float64, seed uint64) [][]int {
	rng := rand.New(rand.NewPCG(seed, 0))
	for {
		joined := rewired(rng, nodes, degree, chance)
		if connected(joined) {
			return directed(joined)
		}
	}
}

// rewired returns the symmetric adjacency matrix.
func rewired(rng *rand.Rand, nodes, degree int, chance float64) [][]bool {
	joined := make([][]bool, nodes)
	for i := range joined {
		joined[i] = make([]bool, nodes)
	}
	set := func(i, j int, to bool) { joined[i][j], joined[j][i] = to, to }
	for step := 1; step <= degree/2; step++ {
		for i := range nodes {
			set(i, (i+step)%nodes, true)
		}
	}
	for step := 1; step <= degree/2; step++ {
		for i := range nodes {
			if rng.Float64() >= chance {
				continue
			}
			free := unjoined(joined[i], i)
			if len(free) == 0 {
				continue
			}
			set(i, (i+step)%nodes, false)
			set(i, free[rng.IntN(len(free))], true)
		}
	}
	return joined
}

// unjoined returns the nodes not adjacent to node i, i excluded.
func unjoined(joined []bool, i int) []int {
	var free []int
	for j, yes := range joined {
		if !yes && j != i {
			free = append(free, j)
		}
	}
	return free
}

// connected reports whether every node is reachable from node 0.
func connected(joined [][]bool) bool {
	reached := []int{0}
	for i := 0; i < len(reached); i++ {
		for j, yes := range joined[reached[i]] {
			if yes && !slices.Contains(reached, j) {
				reached = append(reached, j)
			}
		}
	}
	return len(reached) == len(joined)
}

func directed(joined [][]bool) [][]int {
	reads := make([][]int, len(joined))
	for i := range joined {
		for j := range i {
			if joined[i][j] {
				reads[i] = append(reads[i], j)
			}
		}
	}
	return reads
}

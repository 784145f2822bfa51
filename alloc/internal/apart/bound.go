package apart

import (
	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// A shared is how many bytes two records can share at most.
type shared struct {
	with  int
	bytes int64
}

// Bound returns a number of bytes that no plan goes below. It asks for all pairs.
//
// Records that are alive together take at least the sum of their sizes, less what each two
// of them can share.
func (p *Problem) Bound() problem.Bound {
	best := problem.Bound{Reason: "the size of the largest tensor"}
	for _, r := range p.Records {
		best.Bytes = max(best.Bytes, r.Size)
	}
	if end := problem.PinnedEnd(p.Records); end > best.Bytes {
		best = problem.Bound{Bytes: end, Reason: "the end of a pinned tensor"}
	}
	if most := p.breadth(); most > best.Bytes {
		best = problem.Bound{Bytes: most, Reason: "the largest operator breadth, less what its tensors can share"}
	}
	return best
}

// breadth walks through time with the records that are alive.
func (p *Problem) breadth() (most int64) {
	var alive []int
	var load int64
	sharing := make([][]shared, len(p.Records))
	for _, i := range problem.InOrder(p.Records) {
		kept := make([]int, 0, len(alive)+1)
		for _, j := range alive {
			if p.Records[j].Last >= p.Records[i].First {
				kept = append(kept, j)
			}
		}
		if len(kept) < len(alive) && load > most { // as many as now will not be alive soon
			most = max(most, p.union(alive, sharing))
		}
		load = p.Records[i].Size
		for _, j := range kept {
			load += p.Records[j].Size
			if bytes := p.sharable(i, j); bytes > 0 {
				sharing[i] = append(sharing[i], shared{j, bytes})
				sharing[j] = append(sharing[j], shared{i, bytes})
			}
		}
		alive = append(kept, i)
	}
	return max(most, p.union(alive, sharing))
}

// union returns a number of bytes that records take together at least. One that shares more
// than it has is left out, the one that shares most first.
func (p *Problem) union(alive []int, sharing [][]shared) int64 {
	part := make(map[int]bool, len(alive))
	for _, i := range alive {
		part[i] = true
	}
	for {
		var sum, worst int64
		out := -1
		for _, i := range alive {
			if !part[i] {
				continue
			}
			var both int64
			for _, s := range sharing[i] {
				if part[s.with] {
					both += s.bytes
					if s.with < i {
						sum -= s.bytes
					}
				}
			}
			sum += p.Records[i].Size
			if over := both - p.Records[i].Size; over > worst {
				out, worst = i, over
			}
		}
		if out < 0 {
			return sum
		}
		part[out] = false
	}
}

// sharable returns how many bytes two records can share at most, wherever they are.
func (p *Problem) sharable(i, j int) int64 {
	a, b := min(i, j), max(i, j)
	r, s := p.Records[a], p.Records[b]
	step := gcd(r.Alignment(), s.Alignment())
	// From low to high the smaller lies within the larger; beyond, each byte of distance is
	// one that they share less.
	low, high := min(0, r.Size-s.Size), max(0, r.Size-s.Size)
	// The least distance from low on and the greatest down from high that are allowed.
	up, down := roundUp(low, step), -roundUp(-high, step)
	most := min(r.Size, s.Size)
	forbidden := p.forbid(a, b)
	for _, f := range forbidden {
		if f.Lo <= up && up <= f.Hi {
			up = roundUp(f.Hi+1, step)
		}
	}
	for k := len(forbidden) - 1; k >= 0; k-- {
		if f := forbidden[k]; f.Lo <= down && down <= f.Hi {
			down = -roundUp(1-f.Lo, step)
		}
	}
	return max(0, most-max(0, up-high), most-max(0, low-down))
}

// roundUp returns the smallest multiple of step that is not below n, which may be negative.
func roundUp(n, step int64) int64 {
	rest := n % step
	if rest < 0 {
		rest += step
	}
	if rest == 0 {
		return n
	}
	return n + step - rest
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

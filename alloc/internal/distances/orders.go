package distances

import (
	"cmp"
	"context"

	"github.com/tflarena/tflarena/alloc/internal/problem"
)

// BySize places the largest record first, each at its lowest offset: TensorAllocate of Kvochko et al.
// 2024 with the first of its three orders.
func (p *Problem) BySize(ctx context.Context) ([]int64, error) {
	return p.place(ctx, problem.BySize(p.Records), lowest)
}

// ByLength is BySize with the longest-lived record first.
func (p *Problem) ByLength(ctx context.Context) ([]int64, error) {
	return p.place(ctx, p.byLength(), lowest)
}

// ByPeers is BySize with the record first whose lifetime overlaps the most others.
func (p *Problem) ByPeers(ctx context.Context) ([]int64, error) {
	return p.place(ctx, p.byPeers(), lowest)
}

// BestFit places the largest record first, each in the shortest run of free offsets.
func (p *Problem) BestFit(ctx context.Context) ([]int64, error) {
	return p.place(ctx, problem.BySize(p.Records), tightest)
}

// Printed places by the step as printed, and returns the best of the three orders, the first of equal
// ones.
func (p *Problem) Printed(ctx context.Context) ([]int64, error) {
	var best []int64
	for _, order := range [][]int{problem.BySize(p.Records), p.byLength(), p.byPeers()} {
		offsets, err := p.place(ctx, order, printed)
		if err != nil {
			return nil, err
		}
		if best == nil || problem.TotalOf(p.Records, offsets) < problem.TotalOf(p.Records, best) {
			best = offsets
		}
	}
	return best, nil
}

func (p *Problem) byLength() []int {
	return problem.OrderBy(p.Records, func(i, j int) int {
		return cmp.Compare(problem.Length(p.Records[j]), problem.Length(p.Records[i]))
	})
}

func (p *Problem) byPeers() []int {
	peers := problem.Conflicts(p.Records)
	return problem.OrderBy(p.Records, func(i, j int) int { return cmp.Compare(peers[j], peers[i]) })
}

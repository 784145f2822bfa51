package packing

import (
	"cmp"
	"math/rand/v2"

	"golang.org/x/exp/slices"
)

// An Order ranks the items that could lie lowest.
type Order struct {
	// Keys are letters, most important first, each of a property that is sorted descending: T the
	// largest load of the item's sections, W its width, w the number of its sections, A and a its size
	// times W or w. Equal items are in row order. MiniMalloc cycles through WAT, TAW and TWA.
	Keys string
	// Noise perturbs the keys by up to that fraction of themselves, by random numbers that depend on
	// Seed only.
	Noise float64
	Seed  uint64
}

// ranks returns each item's rank in an order.
func (p *Problem) ranks(o Order) []int32 {
	values := make([][]float64, len(p.items))
	random := rand.New(rand.NewPCG(o.Seed, 0))
	for i := range values {
		blur := 1 + o.Noise*(2*random.Float64()-1)
		for _, key := range []byte(o.Keys) {
			values[i] = append(values[i], blur*p.value(key, int32(i)))
		}
	}
	order := make([]int32, len(p.items))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		return cmp.Or(-slices.Compare(values[i], values[j]), cmp.Compare(p.items[i].Row, p.items[j].Row))
	})
	ranks := make([]int32, len(order))
	for place, i := range order {
		ranks[i] = int32(place)
	}
	return ranks
}

func (p *Problem) value(key byte, i int32) float64 {
	var sections, load int64
	p.eachSection(i, func(t int32) {
		sections++
		load = max(load, p.load[t])
	})
	it := &p.items[i]
	switch key {
	case 'T':
		return float64(load)
	case 'W':
		return float64(it.Width)
	case 'w':
		return float64(sections)
	case 'A':
		return float64(it.Width) * float64(it.Size)
	default:
		return float64(sections) * float64(it.Size)
	}
}

package tiling

import (
	"fmt"

	"golang.org/x/exp/slices"
)

// tensor returns the entry for a tensor, or nil.
func (g *Given) tensor(id string) *GivenTensor {
	if g == nil {
		return nil
	}
	for i := range g.Tensors {
		if g.Tensors[i].Tensor == id {
			return &g.Tensors[i]
		}
	}
	return nil
}

// joined reports whether an operator is in a given cascade.
func (g *Given) joined(k int) bool {
	return g != nil && slices.ContainsFunc(g.Cascades, func(c GivenCascade) bool { return c.First <= k && k <= c.Last })
}

// maxTiles is the largest number of given tiles of a tensor, since all pairs are compared.
const maxTiles = 10_000

// checkGiven returns an error about the first invalid entry.
func (n *network) checkGiven() error {
	if n.Given == nil {
		return nil
	}
	made := map[string]int{} // tensors by their IDs
	for t := range n.tensors {
		made[n.id(t)] = t
	}
	seen := map[string]bool{}
	for i, g := range n.Given.Tensors {
		place := fmt.Sprintf("tensors: entry %d (%s)", i, g.Tensor)
		t, ok := made[g.Tensor]
		switch {
		case !ok:
			return wrong(place, "the model has no such tensor in this subgraph")
		case seen[g.Tensor]:
			return wrong(place, "there is an entry for this tensor before it")
		case n.sub.Tensors[t].Producer < 0:
			return wrong(place, "no operator makes the tensor, so there is nothing to cut")
		case n.operators[n.sub.Tensors[t].Producer].whole:
			k := n.sub.Tensors[t].Producer
			return wrong(place, "operator %d (%s) makes it, which cannot be cut", k, n.operators[k].Name)
		case n.Given.joined(n.sub.Tensors[t].Producer):
			return wrong(place, "operator %d makes it, whose steps a cascade says as well", n.sub.Tensors[t].Producer)
		case len(g.Tiles) > maxTiles:
			return wrong(place, "it has %d tiles, and the most are %d", len(g.Tiles), maxTiles)
		case g.Cut != Own && g.Most < 1:
			return wrong(place, "%d %s are no tile", g.Most, g.Cut)
		}
		seen[g.Tensor] = true
	}
	return n.checkCascades()
}

func (n *network) checkCascades() error {
	for i, c := range n.Given.Cascades {
		place := fmt.Sprintf("cascades: entry %d", i)
		switch {
		case c.First < 0 || c.Last >= len(n.operators) || c.First >= c.Last:
			return wrong(place, "operators %d to %d are not two or more of 0 to %d", c.First, c.Last, len(n.operators)-1)
		case c.Rows < 0:
			return wrong(place, "%d rows are no stripe", c.Rows)
		case n.cascade(c.First, c.Last) == nil:
			return wrong(place, "operators %d to %d are no cascade: each must make one tensor in rows, and what all but the last one make must be read within the cascade alone", c.First, c.Last)
		}
		for j, d := range n.Given.Cascades[:i] {
			if c.First <= d.Last && d.First <= c.Last {
				return wrong(place, "operators %d to %d are in entry %d already", max(c.First, d.First), min(c.Last, d.Last), j)
			}
		}
	}
	return nil
}

package bound

import "time"

// maxFirstLayers is the number of first layers that first looks at.
const maxFirstLayers = 8

// first raises the bounds of the computes after t by the loads of the first layers. Before compute k
// the run loads the streamed weights of layers 1 to k, then it computes up to t, and then it loads
// what memory does not hold at the end of compute t. Resident weights of the first layers and weights
// of later ones share the room there.
func (b *bounder) first(t int, room int64, least []time.Duration) {
	held := newFenwick(len(b.items))
	var before time.Duration
	for k := 1; k < min(t, maxFirstLayers+1); k++ {
		held.add(b.items[k])
		before += b.items[k].time
		if b.items[k].time == 0 {
			continue
		}
		both := held.clone()
		begin := before + b.computed[t] - b.computed[k-1]
		for u := t + 1; u < len(least); u++ {
			both.add(b.items[u])
			begin += b.items[u].time
			least[u] = max(least[u], begin-both.most(room))
		}
	}
}

package bound

import "time"

// begins is how many of the first layers a run may have to load before anything else computes.
const begins = 8

// first raises what is known of the beginning of the computes after t by what the run loads for its
// first layers. Before compute b it loads what is not resident of layers 1 to b, then it computes
// up to t, and then it loads what memory does not hold at the end of compute t. That holds residents of the
// first layers and weights of later ones in the same room.
func (b *bounder) first(t int, room int64, least []time.Duration) {
	held := newFenwick(len(b.items))
	var before time.Duration
	for k := 1; k < min(t, begins+1); k++ {
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

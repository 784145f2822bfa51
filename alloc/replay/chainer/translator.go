package chainer

// translate records a step of a translator (Sutskever et al. 2014) for one mini-batch whose sentences
// have so many words in either language: three layers of 1024 units, of which every word makes its
// gates, cell and state, and 40,000 words to choose from.
func translate(r *recorder, batch int64, source, target int, train bool) {
	const units, layers, words = 1024, 3, 40_000
	var kept []uint64
	keep := func(function string, bytes int64) {
		kept = append(kept, r.alloc(function, bytes))
		if !train && len(kept) > 3*layers { // forward alone, a word needs the state of the one before
			r.free(kept[0])
			kept = kept[1:]
		}
	}
	for range source + target {
		for range layers {
			keep("gates", 4*batch*units*4)
			keep("cell", 4*batch*units)
			keep("state", 4*batch*units)
		}
	}
	scores := r.alloc("scores", 4*batch*int64(target)*words)
	loss := r.alloc("loss", 4*batch*int64(target)*words)
	if train {
		r.free(r.alloc("loss backward", 4*batch*int64(target)*words))
	}
	r.free(loss)
	r.free(scores)
	for len(kept) > 0 {
		r.free(kept[len(kept)-1])
		kept = kept[:len(kept)-1]
		if train && len(kept)%3 == 2 {
			r.free(r.alloc("gates backward", 4*batch*units*4))
		}
	}
	r.step()
}

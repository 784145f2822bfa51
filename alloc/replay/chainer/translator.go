package chainer

// Sizes of the translator of Sutskever et al. 2014.
const (
	translatorUnits  = 1024
	translatorLayers = 3
	translatorWords  = 40_000 // to choose from
)

// A translation records a mini-batch of a translator: every word makes the gates, the cell and the state
// of each layer.
type translation struct {
	*recorder
	batch int64
	kept  []uint64
}

// trainTranslator records a training step with so many words in either language. The scores of all
// words are computed at once.
func trainTranslator(r *recorder, batch int64, source, target int) {
	t := translation{recorder: r, batch: batch}
	for range source + target {
		t.word(0)
	}
	scores := r.alloc("scores", t.scores(target))
	loss := r.alloc("loss", t.scores(target))
	r.free(r.alloc("loss backward", t.scores(target)))
	r.free(loss)
	r.free(scores)
	for len(t.kept) > 0 {
		t.release(len(t.kept) - 1)
		if len(t.kept)%3 == 2 {
			r.free(r.alloc("gates backward", t.floats(4*translatorUnits)))
		}
	}
	r.step()
}

// translate records a translation, which generates one word after the other. A word needs the cells and
// states of the one before it.
func translate(r *recorder, batch int64, source, target int) {
	t := translation{recorder: r, batch: batch}
	for range source {
		t.word(3 * translatorLayers)
	}
	var words []uint64
	for range target {
		t.word(3 * translatorLayers)
		scores := r.alloc("scores", t.scores(1))
		words = append(words, r.alloc("word", 4*batch))
		r.free(scores)
	}
	for len(t.kept) > 0 {
		t.release(0)
	}
	for _, word := range words {
		r.free(word)
	}
	r.step()
}

// word records the layers of a word. If most is not 0, only the last most blocks are kept.
func (t *translation) word(most int) {
	keep := func(function string, bytes int64) {
		t.kept = append(t.kept, t.alloc(function, bytes))
		if most > 0 && len(t.kept) > most {
			t.release(0)
		}
	}
	for range translatorLayers {
		keep("gates", t.floats(4*translatorUnits))
		keep("cell", t.floats(translatorUnits))
		keep("state", t.floats(translatorUnits))
	}
}

// release releases a block that was kept.
func (t *translation) release(k int) {
	t.free(t.kept[k])
	t.kept = append(t.kept[:k], t.kept[k+1:]...)
}

// floats returns the bytes of n floats for each sentence.
func (t *translation) floats(n int64) int64 { return 4 * t.batch * n }

// scores returns the bytes of a score for each word to choose from, at so many places of a sentence.
func (t *translation) scores(places int) int64 { return t.floats(int64(places) * translatorWords) }

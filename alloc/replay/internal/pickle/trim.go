package pickle

// Trim frees memory that is needed only while a tree is read: the items of lists whose dicts all went
// to a [Fold], and the headers of such dicts. [Tree.Token] no longer knows these.
func (t *Tree) Trim() {
	gone := make([]header, pieceLen)
	for i := range gone {
		gone[i].setClass(foldedClass)
	}
	for k, piece := range t.headers.pieces {
		whole := true
		for i := range piece {
			h := &piece[i]
			if h.class() == largeClass && allFolded(t.large[h.block]) {
				t.large[h.block] = nil
				h.n = 0
				h.setClass(emptyClass)
			}
			whole = whole && h.class() == foldedClass
		}
		if whole {
			t.headers.pieces[k] = gone
		}
	}
}

func allFolded(items []Value) bool {
	for _, v := range items {
		if v.kind() != Folded {
			return false
		}
	}
	return true
}

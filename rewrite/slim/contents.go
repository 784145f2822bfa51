package slim

import (
	"github.com/tflarena/tflarena/tflite"
)

// contents is the parts of a model that a file has, and their new indexes.
type contents struct {
	removed
	// tensors are the tensors of each subgraph, codes the operator codes, buffers the buffers
	// without buffer 0, and metadata the metadata entries.
	tensors  []selection
	codes    selection
	buffers  selection
	metadata []int
}

// selection is the elements of a list that stay.
type selection struct {
	// kept are the old indexes, in their new order.
	kept []int
	// index maps old to new indexes. Elements that are gone have no meaningful one.
	index []int32
}

func newContents(m *tflite.Model, r removed) *contents {
	c := &contents{removed: r, metadata: keptMetadata(m, r)}
	fixed := fixesIndexes(m)
	for s := range m.Subgraphs {
		used := usedTensors(m, s)
		c.tensors = append(c.tensors, selected(len(used), func(i int) bool { return fixed || !r.has(Tensors) || used[i] }))
	}
	codes := usedCodes(m)
	c.codes = selected(len(codes), func(i int) bool { return fixed || !r.has(Codes) || codes[i] })
	c.buffers = c.selectBuffers(m)
	return c
}

// selected returns the elements of a list of n for which keep is true.
func selected(n int, keep func(int) bool) selection {
	s := selection{index: make([]int32, n)}
	for i := range n {
		if keep(i) {
			s.index[i] = int32(len(s.kept))
			s.kept = append(s.kept, i)
		}
	}
	return s
}

// all returns the new indexes of a list of tensors, as [tflite.Renumbered] does.
func (s *selection) all(old []int) []int32 {
	return tflite.Renumbered(old, func(t int) int32 { return s.index[t] })
}

package slim

import (
	"crypto/sha256"

	"github.com/tflarena/tflarena/tflite"
)

// selectBuffers returns the buffers of the file: in the order of their first use, without unused
// and duplicate ones. Buffer 0, which stands for no data, is always there.
func (c *contents) selectBuffers(m *tflite.Model) selection {
	s := selection{index: make([]int32, len(m.Buffers))}
	if len(m.Buffers) == 0 {
		return s
	}
	s.kept = []int{0}
	if !c.has(Buffers) || fixesBuffers(m) {
		return selected(len(m.Buffers), func(int) bool { return true })
	}
	private := privateBuffers(m)
	done, known := map[int]bool{0: true}, map[[sha256.Size]byte]int32{}
	add := func(b int) {
		if done[b] {
			return
		}
		done[b] = true
		data := &m.Buffers[b]
		if !data.Present && !m.Buffers[0].Present {
			return // the same as buffer 0
		}
		if c.has(DuplicateBuffers) && !private[b] && len(data.Data) > 0 {
			sum := sha256.Sum256(data.Data)
			if same, ok := known[sum]; ok {
				s.index[b] = same
				return
			}
			known[sum] = int32(len(s.kept))
		}
		s.index[b] = int32(len(s.kept))
		s.kept = append(s.kept, b)
	}
	for i := range c.tensors {
		for _, t := range c.tensors[i].kept {
			add(m.Subgraphs[i].Tensors[t].Buffer)
		}
	}
	for _, i := range c.metadata {
		add(m.Metadata[i].Buffer)
	}
	return s
}

// privateBuffers returns the buffers that must not be merged with others: those of metadata,
// which tools overwrite, and those of tensors that are not only read.
func privateBuffers(m *tflite.Model) map[int]bool {
	private := map[int]bool{}
	for _, md := range m.Metadata {
		private[md.Buffer] = true
	}
	for s := range m.Subgraphs {
		for i := range m.Subgraphs[s].Tensors {
			if t := &m.Subgraphs[s].Tensors[i]; t.Variable || t.Input || t.Producer >= 0 {
				private[t.Buffer] = true
			}
		}
	}
	return private
}

package split

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/edit"
)

// bufferFile is about how many bytes of the file an added buffer takes besides its data: a
// table, a reference to it, the length and what aligns the data.
const bufferFile = 16

// stored notes that a piece of a constant was added, of so many bytes.
func (e *emitter) stored(constant int, bytes int64) {
	if e.stores == nil {
		e.stores = map[int][]int64{}
	}
	e.stores[constant] = append(e.stores[constant], bytes)
}

// weightBytes returns [Fragment.WeightBytes] of a fragment that is complete. The pieces of a
// constant that nothing needs whole any more lie where it was, as [edit.Apply] has it.
func (e *emitter) weightBytes() (sum int64) {
	if len(e.stores) == 0 {
		return 0
	}
	needed := e.neededBuffers()
	rooms, pieces := map[int]int64{}, map[int][]int64{}
	for t, sizes := range e.stores {
		tensor := &e.sub.Tensors[t]
		pieces[tensor.Buffer] = append(pieces[tensor.Buffer], sizes...)
		if b := e.model.Buffer(tensor); !needed[tensor.Buffer] && !b.Outside {
			rooms[tensor.Buffer] = int64(len(b.Data))
		}
	}
	for buffer, sizes := range pieces {
		sum = plus(sum, plus(homeless(rooms[buffer], sizes), times(bufferFile, int64(len(sizes)))))
	}
	return sum
}

// homeless returns how many bytes of pieces find no place where so many bytes were, each
// piece behind its length and aligned.
func homeless(room int64, sizes []int64) (sum int64) {
	sizes = slices.Clone(sizes)
	slices.SortFunc(sizes, func(a, b int64) int { return cmp.Compare(b, a) })
	const length = 4
	at := int64(0)
	for _, size := range sizes {
		if at+size > room {
			sum = plus(sum, size)
			continue
		}
		at = ceilDiv(at+size+length, rewrite.Alignment) * rewrite.Alignment
	}
	return sum
}

// neededBuffers says which buffers are needed by tensors that the pieces do not replace, or
// by metadata.
func (e *emitter) neededBuffers() map[int]bool {
	read := map[int]bool{}
	for i := range e.Operators {
		op := &e.Operators[i]
		inputs := op.Inputs
		if op.Kind == edit.Keep {
			inputs = e.sub.Operators[op.Of].Inputs
		}
		for _, t := range inputs {
			read[t] = true
		}
	}
	needed := map[int]bool{}
	for s := range e.model.Subgraphs {
		for t := range e.model.Subgraphs[s].Tensors {
			if s > 0 || read[t] || !e.replaced(t) {
				needed[e.model.Subgraphs[s].Tensors[t].Buffer] = true
			}
		}
	}
	for _, md := range e.model.Metadata {
		needed[md.Buffer] = true
	}
	return needed
}

// replaced reports whether a tensor is a constant that was cut, and that nothing outside the
// stage uses.
func (e *emitter) replaced(t int) bool {
	tensor := &e.sub.Tensors[t]
	return e.stores[t] != nil && e.leaves(t) == "" && !tensor.Input && !tensor.Sparse && tensor.ExternalBuffer == 0
}

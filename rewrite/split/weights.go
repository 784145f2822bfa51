package split

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/edit"
)

// bufferFile is the approximate file size of an added buffer besides its data, in bytes: a
// table, a reference to it, the length and the alignment of the data.
const bufferFile = 16

// stored records an added piece of a constant, in bytes.
func (e *emitter) stored(constant int, bytes int64) {
	if e.stores == nil {
		e.stores = map[int][]int64{}
	}
	e.stores[constant] = append(e.stores[constant], bytes)
}

// weightBytes returns [Fragment.WeightBytes] of a complete fragment. Pieces of a constant that
// is no longer needed whole reuse its space, as in [edit.Apply].
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
		sum = saturatingAdd(sum, saturatingAdd(overflowBytes(rooms[buffer], sizes), saturatingMul(bufferFile, int64(len(sizes)))))
	}
	return sum
}

// overflowBytes returns the bytes of pieces that do not fit into room bytes, each aligned and after
// its length field.
func overflowBytes(room int64, sizes []int64) (sum int64) {
	sizes = slices.Clone(sizes)
	slices.SortFunc(sizes, func(a, b int64) int { return cmp.Compare(b, a) })
	const length = 4
	at := int64(0)
	for _, size := range sizes {
		if at+size > room {
			sum = saturatingAdd(sum, size)
			continue
		}
		at = ceilDiv(at+size+length, rewrite.Alignment) * rewrite.Alignment
	}
	return sum
}

// neededBuffers marks the buffers needed by tensors that the pieces do not replace, or by
// metadata.
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

// replaced reports whether a tensor is a split constant that nothing outside the stage uses, and
// that its pieces are like.
func (e *emitter) replaced(t int) bool {
	tensor := &e.sub.Tensors[t]
	return e.stores[t] != nil && e.quant.along(t, 0, int(tensor.Shape[0])) != wrongDimension && e.usedOutside(t) == "" && !tensor.Input && !tensor.Sparse && tensor.ExternalBuffer == 0
}

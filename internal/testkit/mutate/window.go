package mutate

import "golang.org/x/exp/slices"

// Window keeps only some operators of the first subgraph, with the tensors that they use: up to count
// operators from index from. So large networks make small models with real operators. Tensors that the
// operators read and do not produce become the inputs, and tensors that they produce and do not read
// the outputs.
func (t *Table) Window(from, count int) {
	if len(t.list("subgraphs")) == 0 {
		return
	}
	t.set("signature_defs", nil)
	w := &window{sub: t.list("subgraphs")[0], index: map[int64]int64{-1: -1}, made: map[int64]bool{}, read: map[int64]bool{}}
	operators := w.sub.list("operators")
	from = min(max(from, 0), len(operators))
	operators = operators[from : from+min(max(count, 0), len(operators)-from)]
	w.tensors = w.sub.list("tensors")
	for _, op := range operators {
		for _, name := range []string{"inputs", "outputs", "intermediates"} {
			w.operands(op, name)
		}
	}
	w.sub.set("operators", operators)
	w.sub.set("tensors", w.kept)
	w.ends(t.list("buffers"))
	t.dropBuffers()
}

// A window is the tensors of some operators.
type window struct {
	sub           *Table
	tensors, kept []*Table
	// index is the new index of a tensor, by the old one.
	index map[int64]int64
	// made and read are tensors by the new index, in the order of the operators.
	made, read map[int64]bool
}

// operands gives the tensors of an operator their new indexes.
func (w *window) operands(op *Table, name string) {
	data := op.data(name)
	for ; len(data) > 0; data = data[4:] {
		old := signed(data[:4])
		at, ok := w.index[old]
		if !ok {
			at = int64(len(w.kept))
			w.index[old], w.kept = at, append(w.kept, w.tensors[old])
		}
		copy(data, bytes(at, 4))
		if name == "outputs" {
			w.made[at] = true
		} else {
			w.read[at] = true
		}
	}
}

// ends derives the inputs from tensors that are read and not constant, and the outputs from produced
// ones.
func (w *window) ends(buffers []*Table) {
	var inputs, outputs []byte
	for at, t := range w.kept {
		at, buffer := int64(at), t.number(t.of.id("buffer"))
		constant := buffer < int64(len(buffers)) && len(buffers[buffer].data("data")) > 0 || t.number(t.of.id("external_buffer")) != 0
		switch {
		case w.made[at] && !w.read[at]:
			outputs = append(outputs, bytes(at, 4)...)
		case w.read[at] && !w.made[at] && !constant:
			inputs = append(inputs, bytes(at, 4)...)
		}
	}
	w.sub.set("inputs", inputs)
	w.sub.set("outputs", outputs)
}

// dropBuffers empties unreferenced buffers.
func (t *Table) dropBuffers() {
	var used []int64
	for _, s := range t.list("subgraphs") {
		for _, tensor := range s.list("tensors") {
			used = append(used, tensor.number(tensor.of.id("buffer")))
		}
	}
	for _, m := range t.list("metadata") {
		used = append(used, m.number(m.of.id("buffer")))
	}
	for i, b := range t.list("buffers") {
		if !slices.Contains(used, int64(i)) {
			b.set("data", nil)
		}
	}
}

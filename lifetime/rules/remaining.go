package rules

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// Remaining returns the view's records with the gaps that an [Alias] permits: from
// [OverwriteAlias] on, a tensor that is read slice by slice holds after each slice only the
// bytes that later slices read. This is safe because TensorFlow Lite Micro places tensors at
// the offsets in the file without checking them. A graph input loses its contents in the
// process, as it may under any plan.
func (v *View) Remaining(a Alias) []lifetime.Record {
	records := v.Records()
	if !a.Overwrites() || !v.Rules.IsMicro() {
		return records
	}
	records = slices.Clone(records)
	for i, list := range newTakeovers(v, a).allReads() {
		records[i] = records[i].Remaining(list)
	}
	return records
}

// allReads returns the reads of the tensors whose bytes may be overwritten when nothing reads them any more, by
// record.
func (w *takeovers) allReads() map[int][]lifetime.Read {
	reads := map[int][]lifetime.Read{}
	for position, step := range w.Usage.Steps {
		if step.Operator >= 0 && w.entered[step.Subgraph] == 1 {
			w.reads(step, position, reads)
		}
	}
	for i := range reads {
		at := w.Usage.Places[i]
		t := &w.Model.Subgraphs[at.Subgraph].Tensors[at.Tensor]
		// An input or output of another subgraph is read by the operator that calls it.
		if w.made[at] != 1 || t.Output || t.Variable || t.Input && at.Subgraph != 0 {
			delete(reads, i)
		}
	}
	return reads
}

// reads records the reads of an operator, by record. An operator that runs subgraphs reads
// until they end: IF and WHILE copy to the inputs of their subgraphs one after another, WHILE
// to those of its body after the condition has run.
func (w *takeovers) reads(step lifetime.Step, position int, reads map[int][]lifetime.Read) {
	op := &w.Model.Subgraphs[step.Subgraph].Operators[step.Operator]
	position += w.inside(w.calls[step])
	for k, t := range op.Inputs {
		i, ok := w.record[lifetime.Place{Subgraph: step.Subgraph, Tensor: t}]
		if !ok {
			continue
		}
		read := lifetime.Read{Position: position, Hi: w.Records()[i].Size}
		if k == 0 && SharingOf(w.Model.OperatorCodes[op.Code].Builtin) == Taking {
			if rows, ok := w.rows(step, op); ok {
				read.Lo, read.Hi = rows.from, min(rows.to, read.Hi)
			}
		}
		reads[i] = append(reads[i], read)
	}
}

package edit

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// Apply returns the file of m with the edit applied. m must come from package tflite's parser;
// it is not modified.
//
// The new tables are written before the old file, padded to a multiple of 64 bytes, and
// reference the old tables for shared data: options, quantisation, weights, names. All indexes
// of the file stay valid, but for those of tensors removed from the end: tensors, buffers and
// operator codes are only appended. Tensors that no operator uses any more remain, but without
// elements, so that no runtime allocates memory for them. An edit invalidates memory plans, so plans are removed first, as [rewrite.Remove]
// does. An edit that keeps all operators in order and adds nothing leaves the file unchanged,
// plans included.
//
// The old bytes after the new tables are unchanged, with two exceptions. Positions that count
// from the start of the file are adjusted. And the data of constants that no operator uses any
// more, and that added constants are like, is replaced with the data of added tensors, as far as
// it fits, each aligned to 16 bytes; the rest is zeroed. So a constant cut into tiles takes about
// one tile more than before. This requires that only such constants use the buffer, that no
// metadata uses it, and that nothing else in the file refers to its bytes. All other data stays,
// and so do unused constants that are not reused.
//
// An edit that no runtime could run is an error: indexes out of range, a tensor read before it
// is written or written twice, shapes without elements. Apply does not check the kernels'
// requirements on shapes or on the parameters of SLICE, PAD and others.
//
// Apply returns a [*rewrite.RefusedError] if the file cannot be edited safely. Operators that
// touch variables, have intermediates, or depend on more than the order of their tensors must
// all be kept, in order; those that only read variables may get other inputs beside them. Tables
// that are rewritten must not have fields newer than the schema.
// Force of [rewrite.Options] overrides the refusal if operators with effects beyond their
// outputs would be dropped, duplicated or moved, if metadata names operators by index, if the
// removed plan is another tool's, and wherever [rewrite.Embed] could be forced.
func Apply(m *tflite.Model, e Edit, o rewrite.Options) (*rewrite.Result, error) {
	if err := checkEdit(m, &e); err != nil {
		return nil, fmt.Errorf("edit of subgraph %d: %w", e.Subgraph, err)
	}
	if e.empty(m) {
		return &rewrite.Result{Data: m.Data, Method: rewrite.Unchanged}, nil
	}
	forced, err := patch.Force(o.Force, checkEditedEffects(m, &e), patch.CheckPlaceMetadata(m), rewrite.CheckForeignPlan(m))
	if err != nil {
		return nil, err
	}
	r, base, err := withoutPlan(m, o)
	if err != nil {
		return nil, err
	}
	// The plan's buffer may have been removed; the edit must not name it.
	if err := checkEdit(base, &e); err != nil {
		return nil, fmt.Errorf("edit of subgraph %d, without the memory plan: %w", e.Subgraph, err)
	}
	data, lines, err := applied(base, &e, o)
	if err != nil {
		return nil, err
	}
	return &rewrite.Result{
		Data: data, Method: rewrite.Prefix, Added: int64(len(data)) - int64(len(m.Data)), Changes: joined(r.Changes, lines, forced),
	}, nil
}

// withoutPlan removes the plans and returns the result and its model.
func withoutPlan(m *tflite.Model, o rewrite.Options) (*rewrite.Result, *tflite.Model, error) {
	r, err := rewrite.Remove(m, o)
	if err != nil || r.Method == rewrite.Unchanged {
		return r, m, err
	}
	base, err := tflite.Parse(r.Data, m.Name)
	return r, base, err
}

// empty reports whether the edit leaves the model unchanged.
func (e *Edit) empty(m *tflite.Model) bool {
	if len(e.Tensors)+len(e.Reshaped)+e.Removed > 0 || e.Metadata != nil || len(e.Operators) != len(m.Subgraphs[e.Subgraph].Operators) {
		return false
	}
	for i, op := range e.Operators {
		if op.Kind != Keep || op.Of != i {
			return false
		}
	}
	return true
}

// applied applies a checked edit to a model without plans. It also returns the list of changes.
func applied(m *tflite.Model, e *Edit, o rewrite.Options) (patch.Output, []string, error) {
	w, err := newEditor(m, e)
	if err != nil {
		return nil, nil, err
	}
	shift := w.Shift()
	if err := patch.CheckPositions(m, shift); err != nil {
		return nil, nil, err
	}
	if err := patch.CheckSize(m.FlatbufferEnd, int64(len(m.Data)), shift); err != nil {
		return nil, nil, err
	}
	sites, zipProblem := patch.FindSites(m)
	forced, err := patch.Force(o.Force, patch.CheckMovable(m), zipProblem)
	if err != nil {
		return nil, nil, err
	}
	out := make(patch.Output, shift+int64(len(m.Data)))
	copy(out[shift:], m.Data)
	w.fill(out)
	w.fillFreeRanges(out)
	if err := patch.Move(out[shift:], sites, shift); err != nil {
		return nil, nil, err
	}
	if err := w.audit(out, sites); err != nil {
		return nil, nil, err
	}
	return out, append(w.describe(len(sites)), forced...), nil
}

// describe lists the changes of the edit.
func (w *editor) describe(sites int) []string {
	old := &w.m.Subgraphs[w.e.Subgraph]
	lines := []string{
		fmt.Sprintf("%s inserted at the start of the file; everything else moves by as much", units.ExactBytes(w.Shift())),
		fmt.Sprintf("operators of subgraph %d: %d, before %d", w.e.Subgraph, len(w.e.Operators), len(old.Operators)),
	}
	if n := len(w.e.Tensors); n > 0 {
		lines = append(lines, fmt.Sprintf("tensors added to subgraph %d: %d, from index %d", w.e.Subgraph, n, len(old.Tensors)))
	}
	if n := len(w.e.Reshaped); n > 0 {
		lines = append(lines, fmt.Sprintf("tensors of subgraph %d with another shape: %d", w.e.Subgraph, n))
	}
	if n := w.e.Removed; n > 0 {
		lines = append(lines, fmt.Sprintf("tensors removed from the end of subgraph %d: %d", w.e.Subgraph, n))
	}
	if n := len(w.emptiedTensors()); n > 0 {
		lines = append(lines, fmt.Sprintf("tensors of subgraph %d that nothing uses any more, and that have no elements now: %d", w.e.Subgraph, n))
	}
	for i, c := range w.codes {
		lines = append(lines, fmt.Sprintf("operator_codes[%d] is new: %s, version %d", len(w.m.OperatorCodes)+i, c.Builtin, c.Version))
	}
	if n := len(w.buffers); n > 0 {
		lines = append(lines, fmt.Sprintf("buffers added: %d, from index %d", n, w.firstBuffer()))
	}
	if n := len(w.freeRanges); n > 0 {
		lines = append(lines, fmt.Sprintf("buffers that nothing uses any more, and that have no data now: %d; %d of those added lie in their place", n, w.placedCount()))
	}
	switch md := w.e.Metadata; {
	case md == nil:
	case len(md.Data) == 0:
		lines = append(lines, fmt.Sprintf("metadata %s is removed", md.Name))
	default:
		lines = append(lines, fmt.Sprintf("metadata[%d] %s is new, in buffers[%d]", len(w.otherMetadata()), md.Name, w.firstBuffer()+len(w.buffers)-1))
	}
	if sites > 0 {
		lines = append(lines, fmt.Sprintf("positions that count from the start of the file and move along: %d", sites))
	}
	return lines
}

// joined concatenates lists into a new one.
func joined[T any](lists ...[]T) (all []T) {
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

package rewrite

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// Remove returns the file of m without memory plans and markers. m must come from package
// tflite's parser; it is not modified.
//
// If [Embed] prepended the plan, Remove cuts those bytes off, provided that embedding the plan
// again reproduces m. Otherwise it removes the entries from their vector in place. A buffer
// that nothing else uses then stays, so that buffer indexes remain valid, unless it is the
// last, or the buffers of the plan and the marker are the last two.
func Remove(m *tflite.Model, o Options) (*Result, error) {
	if !patch.Carries(m) {
		return &Result{Data: m.Data, Method: Unchanged}, nil
	}
	old := patch.Original(m)
	if old == nil {
		return removeFrom(m, o)
	}
	r := &Result{Data: old.Data}
	// The old file may have had its own plan without room for another.
	if patch.Carries(old) {
		var err error
		if r, err = removeFrom(old, o); err != nil {
			return nil, err
		}
	}
	return result(m, r.Data, Restored, append([]string{cutOff(m, old)}, r.Changes...)...), nil
}

// cutOff describes the restoration of the old file.
func cutOff(m, old *tflite.Model) string {
	return fmt.Sprintf("%s that carried the plan are cut off the front", units.ExactBytes(len(m.Data)-len(old.Data)))
}

// removeFrom removes the plans in place, or by prepending new tables if the metadata vector is
// shared.
func removeFrom(m *tflite.Model, o Options) (*Result, error) {
	for buffers := patch.Spare(m); buffers >= 0; buffers-- {
		if data, changes := patch.Strip(m, buffers); data != nil {
			return result(m, data, InPlace, changes...), nil
		}
	}
	data, changes, err := patch.Prepend(m, patch.Carried{}, o.Force)
	if err != nil {
		return nil, fmt.Errorf("remove the plan: %w", err)
	}
	return result(m, data, Prefix, changes...), nil
}

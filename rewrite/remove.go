package rewrite

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// Remove returns the file of m without memory plans and markers. m is what package tflite
// parsed, and is not changed.
//
// Where [Embed] wrote the plan in front of the file, Remove cuts those bytes off again, if
// that gives back the file that Embed was given; Remove finds out by embedding the plan
// once more. Otherwise it leaves the entries out of their vector in place. A buffer that
// nothing else uses then stays, so that all other indexes stay right, unless it is the
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
	// The old file may have had a plan of its own, without room for another.
	if patch.Carries(old) {
		var err error
		if r, err = removeFrom(old, o); err != nil {
			return nil, err
		}
	}
	return result(m, r.Data, Restored, append([]string{cutOff(m, old)}, r.Changes...)...), nil
}

// cutOff says that m was made the old file again.
func cutOff(m, old *tflite.Model) string {
	return fmt.Sprintf("%s that carried the plan are cut off the front", units.ExactBytes(len(m.Data)-len(old.Data)))
}

// removeFrom leaves the plans out of a file in place, or else by a new front, which
// it takes when something else shares the vector of metadata.
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

package rewrite

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// InlineWeights returns the file of m with all constants in the flatbuffer, aligned to 16
// bytes. TensorFlow Lite Micro does not read constants after the flatbuffer (Buffer.offset) and
// computes with uninitialised memory. m must come from package tflite's parser; it is not
// modified.
//
// The data is prepended; the bytes after the flatbuffer are removed if they held nothing else.
// A file whose flatbuffer would exceed 2 GiB, or with constants in another file, is an error
// ([*RefusedError]).
func InlineWeights(m *tflite.Model, o Options) (*Result, error) {
	outside := m.OutsideConstants()
	if i := slices.IndexFunc(outside, func(c tflite.OutsideConstant) bool { return c.OtherFile }); i >= 0 {
		return nil, &RefusedError{Reason: fmt.Sprintf(
			"the data of tensor %s is in another file (external_buffer), which tflarena does not read", m.TensorID(outside[i].Subgraph, outside[i].Tensor))}
	}
	if !slices.ContainsFunc(m.Buffers, func(b tflite.Buffer) bool { return b.Outside }) {
		return &Result{Data: m.Data, Method: Unchanged}, nil
	}
	data, shift, changes, err := patch.Inline(m, o.Force)
	if err != nil {
		return nil, fmt.Errorf("move the weights into the flatbuffer: %w", err)
	}
	return &Result{Data: data, Method: Prefix, Added: shift, Changes: changes}, nil
}

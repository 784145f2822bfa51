package slim

import (
	"errors"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// Result is a model file and the bytes saved.
type Result struct {
	// Data is the new file, or the model's own data if no smaller file was found.
	Data []byte
	// Before and After are file sizes, in bytes.
	Before, After int64
	// Savings lists the bytes saved by each kind of removal, in the order of [Kinds], without
	// those that change nothing. Their sum is Before - After.
	Savings []Saving
	// Forced describes the refusals that Force of [rewrite.Options] overrode, one sentence each.
	Forced []string
}

// Slim returns a file of m that computes the same and is smaller, if there is one. m must come
// from package tflite's parser; it is not modified.
//
// [Kinds] lists what is removed. These stay: the names of the inputs and outputs of the first
// subgraph and of the tensors of signatures, the signatures, custom codes and options, all
// subgraphs and operators, and metadata except debug information. Bytes after the flatbuffer, such
// as a zip archive of labels, move to the end of the new file.
//
// Indexes of tensors and operator codes change only if nothing else refers to them: a model with
// a memory plan, a record of tiled blocks, blockwise quantisation, or metadata of unknown meaning
// keeps all tensors and codes. Metadata of unknown meaning also keeps all buffers. Buffers
// that an operator may write, and those of metadata, are never merged with others.
//
// Slim returns a [*rewrite.RefusedError] for files that cannot be copied safely: parts newer than
// the schema, damaged options, data outside the flatbuffer or in other files, compressed tensors,
// and vendors' data with file positions. Force of [rewrite.Options] overrides the refusal only for
// bytes after the flatbuffer whose position a custom operator may know. A
// [*rewrite.FaultError] reports an error of this package.
func Slim(m *tflite.Model, o rewrite.Options) (*Result, error) {
	forced, err := check(m, o)
	if err != nil {
		return nil, err
	}
	sizes, err := measure(m)
	if err != nil {
		return nil, err
	}
	size := sizes[len(Kinds)-1]
	if size >= int64(len(m.Data)) {
		return &Result{Data: m.Data, Before: int64(len(m.Data)), After: int64(len(m.Data))}, nil
	}
	data, err := newWriter(m, newContents(m, Kinds), size).file()
	if err != nil {
		return nil, err
	}
	if err := audit(m, data); err != nil {
		// A zip archive whose positions are unknown is refused only here, if forced.
		if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) {
			return nil, refused
		}
		return nil, &rewrite.FaultError{Err: err}
	}
	return &Result{Data: data, Before: int64(len(m.Data)), After: int64(len(data)), Savings: savings(m, sizes), Forced: forced}, nil
}

// Package provenance reads the record of rules in a model: metadata that lists the rules by which operators were replaced, and
// the runtimes in which the outputs are still those of the original.
package provenance

import (
	"encoding/json"
	"fmt"

	"github.com/tflarena/tflarena/tflite"
)

// Name is the name of the metadata entry that holds a [Record].
const Name = "tflarena_rules"

// Version is the only version of the record that this package reads and writes.
const Version = 1

// Record lists the rules that were applied to a model. In a file it is metadata named [Name], whose buffer
// holds it as JSON.
type Record struct {
	// Version of the record: 1. It increases with every change of the fields.
	Version int `json:"version"`
	// Rules that were applied, each once.
	Rules []Rule `json:"rules"`
	// Families of TensorFlow Lite Micro's kernel libraries with which the model's outputs are bit-identical to those of
	// the original (or, for a repaired one, right): `reference`, `cmsis-nn`, `esp-nn`.
	Kernels []string `json:"kernels"`
	// Whether the outputs of LiteRT's default kernels are bit-identical to those of the original.
	LiteRT bool `json:"litert_default"`
	// Whether the outputs of LiteRT's reference kernels are bit-identical to those of the original.
	Reference bool `json:"litert_reference"`

	// Entry is the index of the metadata entry.
	Entry int `json:"-"`
}

// Rule is a rule of a [Record].
type Rule struct {
	// Name of the rule, such as `conv-to-fully-connected`.
	Name string `json:"name"`
	// Number of operators that were replaced.
	Operators int `json:"operator_count"`
}

// An Error is a record that cannot be read.
type Error struct {
	// Entry is the index of the metadata entry, Offset that of its data in the file.
	Entry   int
	Offset  int64
	Message string
}

func (e *Error) Error() string {
	return fmt.Sprintf("the record of rules in metadata[%d]: %s (offset %d)", e.Entry, e.Message, e.Offset)
}

// maxBytes is the size in bytes of the largest record that is read.
const maxBytes = 1 << 16

// Read returns the record of a model's rules, nil if it has none. The error is a [*Error].
func Read(m *tflite.Model) (*Record, error) {
	for i, md := range m.Metadata {
		if md.Name != Name {
			continue
		}
		if md.Buffer < 0 || md.Buffer >= len(m.Buffers) {
			return nil, &Error{Entry: i, Message: "it has no data"}
		}
		b := m.Buffers[md.Buffer]
		fail := func(message string) error { return &Error{Entry: i, Offset: b.Offset, Message: message} }
		if len(b.Data) > maxBytes {
			return nil, fail(fmt.Sprintf("it has %d bytes, more than %d", len(b.Data), maxBytes))
		}
		var r Record
		if err := json.Unmarshal(b.Data, &r); err != nil {
			return nil, fail(err.Error())
		}
		if r.Version != Version {
			return nil, fail(fmt.Sprintf("it has version %d, and only version %d is known", r.Version, Version))
		}
		r.Entry = i
		return &r, nil
	}
	return nil, nil
}

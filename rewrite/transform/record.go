package transform

import (
	"encoding/json"
	"fmt"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/tflite"
)

// RecordName is the name of the metadata entry that holds a [Record].
const RecordName = "tflarena_rules"

// RecordVersion is the only version of the record that this package reads and writes.
const RecordVersion = 1

// Record lists the rules that were applied to a model. In a file it is metadata named [RecordName], whose buffer
// holds it as JSON.
type Record struct {
	// Version of the record: 1. It increases with every change of the fields.
	Version int `json:"version"`
	// Rules that were applied, each once.
	Rules []RecordedRule `json:"rules"`
	// Families of TensorFlow Lite Micro's kernel libraries with which the model's outputs are bit-identical to those of
	// the original (or, for a repaired one, right): `reference`, `cmsis-nn`, `esp-nn`.
	Kernels []string `json:"kernels"`
	// Whether the outputs in LiteRT are bit-identical to those of the original, with its default kernels and with its
	// reference kernels.
	LiteRT    bool `json:"litert_default"`
	Reference bool `json:"litert_reference"`
}

// RecordedRule is a rule of a [Record].
type RecordedRule struct {
	// Name of the rule, such as `conv-to-fully-connected`.
	Name string `json:"name"`
	// Number of operators that were replaced.
	Operators int `json:"operator_count"`
}

// A RecordError is a record that cannot be read.
type RecordError struct {
	// Entry is the index of the metadata entry, Offset that of its data in the file.
	Entry   int
	Offset  int64
	Message string
}

func (e *RecordError) Error() string {
	return fmt.Sprintf("the record of rules in metadata[%d]: %s (offset %d)", e.Entry, e.Message, e.Offset)
}

// maxRecord is the size in bytes of the largest record that is read.
const maxRecord = 1 << 16

// ReadRecord returns the record of a model's rules, nil if it has none. The error is a [*RecordError].
func ReadRecord(m *tflite.Model) (*Record, error) {
	for i, md := range m.Metadata {
		if md.Name != RecordName {
			continue
		}
		if md.Buffer < 0 || md.Buffer >= len(m.Buffers) {
			return nil, &RecordError{Entry: i, Message: "it has no data"}
		}
		b := m.Buffers[md.Buffer]
		fail := func(message string) error { return &RecordError{Entry: i, Offset: b.Offset, Message: message} }
		if len(b.Data) > maxRecord {
			return nil, fail(fmt.Sprintf("it has %d bytes, more than %d", len(b.Data), maxRecord))
		}
		var r Record
		if err := json.Unmarshal(b.Data, &r); err != nil {
			return nil, fail(err.Error())
		}
		if r.Version != RecordVersion {
			return nil, fail(fmt.Sprintf("it has version %d, and only version %d is known", r.Version, RecordVersion))
		}
		return &r, nil
	}
	return nil, nil
}

// add adds rules that were applied.
func (r *Record) add(list []Applied) {
	r.Version = RecordVersion
	exact := Exact{Kernels: r.Kernels, LiteRT: r.LiteRT, Reference: r.Reference}
	if len(r.Rules) == 0 {
		exact = everywhere
	}
	for _, a := range list {
		exact = exact.and(a.Rule.Exact)
		at := -1
		for i := range r.Rules {
			if r.Rules[i].Name == a.Rule.Name {
				at = i
			}
		}
		if at < 0 {
			at = len(r.Rules)
			r.Rules = append(r.Rules, RecordedRule{Name: a.Rule.Name})
		}
		r.Rules[at].Operators += len(a.Operators)
	}
	r.Kernels, r.LiteRT, r.Reference = exact.Kernels, exact.LiteRT, exact.Reference
}

// recorded returns the metadata of a model's record with more rules that were applied.
func recorded(m *tflite.Model, list []Applied) (*edit.Metadata, error) {
	record, err := ReadRecord(m)
	if err != nil {
		return nil, err
	}
	if record == nil {
		record = &Record{}
	}
	record.add(list)
	data, err := json.Marshal(record)
	return &edit.Metadata{Name: RecordName, Data: data}, err
}

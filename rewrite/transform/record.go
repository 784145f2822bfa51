package transform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"

	"golang.org/x/exp/slices"

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

// ReadRecord returns the record of a model's rules, nil if it has none. Several records must be equal. The error is a
// [*RecordError].
func ReadRecord(m *tflite.Model) (r *Record, err error) {
	var first []byte
	for i, md := range m.Metadata {
		if md.Name != RecordName {
			continue
		}
		var b tflite.Buffer
		if md.Buffer >= 0 && md.Buffer < len(m.Buffers) {
			b = m.Buffers[md.Buffer]
		}
		fail := func(message string) error { return &RecordError{Entry: i, Offset: b.Offset, Message: message} }
		if r != nil {
			if !bytes.Equal(b.Data, first) {
				return nil, fail("it differs from another record")
			}
			continue
		}
		if r, err = parseRecord(b.Data); err != nil {
			return nil, fail(err.Error())
		}
		first = b.Data
	}
	return r, nil
}

// parseRecord returns the record in the data of metadata.
func parseRecord(data []byte) (*Record, error) {
	if len(data) > maxRecord {
		return nil, fmt.Errorf("it has %d bytes, more than %d", len(data), maxRecord)
	}
	var r Record
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("it is no JSON of a record: %q", err)
	}
	if r.Version != RecordVersion {
		return nil, fmt.Errorf("it has version %d, and only version %d is known", r.Version, RecordVersion)
	}
	names := map[string]bool{}
	for _, x := range r.Rules {
		if !ruleName.MatchString(x.Name) || names[x.Name] {
			return nil, fmt.Errorf("%q is no name of a rule, or there twice", x.Name)
		}
		if names[x.Name] = true; x.Operators < 1 || x.Operators > math.MaxInt32 {
			return nil, fmt.Errorf("rule %s replaced %d operators", x.Name, x.Operators)
		}
	}
	for i, k := range r.Kernels {
		if !slices.Contains(families, k) || slices.Contains(r.Kernels[:i], k) {
			return nil, fmt.Errorf("%q is no family of kernel libraries, or there twice", k)
		}
	}
	return &r, nil
}

// ruleName matches the names of rules, also of rules that another version has.
var ruleName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+){0,15}$`)

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
		r.Rules[at].Operators = min(r.Rules[at].Operators+len(a.Operators), math.MaxInt32)
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
	if err != nil {
		return nil, err
	}
	if _, err := parseRecord(data); err != nil {
		return nil, &RecordError{Message: "with more rules, " + err.Error()}
	}
	return &edit.Metadata{Name: RecordName, Data: data}, nil
}

// Package provenance reads the record of rules in a model: metadata that lists the rules by which operators were replaced, and
// the runtimes in which the outputs are still those of the original.
package provenance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"

	"golang.org/x/exp/slices"

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
	Exact

	// Entry is the index of the metadata entry.
	Entry int `json:"-"`
}

// Exact is where outputs are bit-identical to those of the original or, for a repaired model, right.
type Exact struct {
	// Families of TensorFlow Lite Micro's kernel libraries with which the outputs are bit-identical to those of the
	// original (or, for a repaired model, right): `reference`, `cmsis-nn`, `esp-nn`.
	Kernels []string `json:"kernels"`
	// Whether the outputs of LiteRT's default kernels are bit-identical to those of the original.
	LiteRT bool `json:"litert_default"`
	// Whether the outputs of LiteRT's reference kernels are bit-identical to those of the original.
	Reference bool `json:"litert_reference"`
}

// With reports whether outputs are exact with a family of kernel libraries.
func (e Exact) With(family string) bool { return slices.Contains(e.Kernels, family) }

// And returns where outputs are exact in both.
func (e Exact) And(f Exact) Exact {
	both := Exact{LiteRT: e.LiteRT && f.LiteRT, Reference: e.Reference && f.Reference}
	for _, k := range e.Kernels {
		if f.With(k) {
			both.Kernels = append(both.Kernels, k)
		}
	}
	return both
}

// String names the kernels: "reference, cmsis-nn, esp-nn, LiteRT".
func (e Exact) String() string {
	names := slices.Clone(e.Kernels)
	switch {
	case e.LiteRT && e.Reference:
		names = append(names, "LiteRT")
	case e.LiteRT:
		names = append(names, "LiteRT's default kernels")
	case e.Reference:
		names = append(names, "LiteRT's reference kernels")
	}
	return strings.Join(names, ", ")
}

// Rule is a rule of a [Record].
type Rule struct {
	// Name of the rule, such as `conv-to-fully-connected`.
	Name string `json:"name"`
	// Number of operators that were replaced; 0 for a rule about the file.
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

// Read returns the record of a model's rules, nil if it has none. Several records must be equal. The error is a [*Error].
func Read(m *tflite.Model) (r *Record, err error) {
	var first []byte
	for i, md := range m.Metadata {
		if md.Name != Name {
			continue
		}
		var b tflite.Buffer
		if md.Buffer >= 0 && md.Buffer < len(m.Buffers) {
			b = m.Buffers[md.Buffer]
		}
		fail := func(message string) error { return &Error{Entry: i, Offset: b.Offset, Message: message} }
		if r != nil {
			if !bytes.Equal(b.Data, first) {
				return nil, fail("it differs from another record")
			}
			continue
		}
		if r, err = parse(b.Data); err != nil {
			return nil, fail(err.Error())
		}
		first, r.Entry = b.Data, i
	}
	return r, nil
}

// Encode returns the data of metadata with a record, or an error if it could not be read back.
func (r *Record) Encode() ([]byte, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	if _, err := parse(data); err != nil {
		return nil, fmt.Errorf("the record of rules: %w", err)
	}
	return data, nil
}

// parse returns the record in the data of metadata.
func parse(data []byte) (*Record, error) {
	if len(data) > maxBytes {
		return nil, fmt.Errorf("it has %d bytes, more than %d", len(data), maxBytes)
	}
	var r Record
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("it is no JSON of a record: %q", err)
	}
	if r.Version != Version {
		return nil, fmt.Errorf("it has version %d, and only version %d is known", r.Version, Version)
	}
	names := map[string]bool{}
	for _, x := range r.Rules {
		if !ruleName.MatchString(x.Name) || names[x.Name] {
			return nil, fmt.Errorf("%q is no name of a rule, or there twice", x.Name)
		}
		if names[x.Name] = true; x.Operators < 0 || x.Operators > math.MaxInt32 {
			return nil, fmt.Errorf("rule %s replaced %d operators", x.Name, x.Operators)
		}
	}
	for i, k := range r.Kernels {
		if !slices.Contains(Families, k) || slices.Contains(r.Kernels[:i], k) {
			return nil, fmt.Errorf("%q is no family of kernel libraries, or there twice", k)
		}
	}
	return &r, nil
}

// Families are the families of TensorFlow Lite Micro's kernel libraries.
var Families = []string{"reference", "cmsis-nn", "esp-nn"}

// ruleName matches the names of rules, also of rules that another version has.
var ruleName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+){0,15}$`)

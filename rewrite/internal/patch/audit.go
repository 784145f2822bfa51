package patch

import (
	"archive/zip"
	"bytes"
	"fmt"
	"reflect"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// audit parses the new file and compares it with the original model, whose bytes moved back by
// shift: everything but plan and marker is equal, and these match c. An error is a
// [*RefusedError]: unless this package has a bug, parts of the old file share bytes in a way
// that no writer produces.
func audit(old *tflite.Model, data []byte, shift int64, c Carried) error {
	_, err := audited(old, data, shift, c)
	return err
}

// audited is audit, but also returns the new model.
func audited(old *tflite.Model, data []byte, shift int64, c Carried) (*tflite.Model, error) {
	m, err := tflite.Parse(data, old.Name)
	if err != nil {
		return nil, Sharing("the rewritten file would be broken: %v", err)
	}
	// First the check that can name the parts.
	if err := SharedBytes(old.Data, data, shift); err != nil {
		return nil, err
	}
	if part := Difference(old, m, shift); part != "" {
		return nil, Sharing("the rewritten file would differ in its %s", part)
	}
	if !c.CarriedBy(m) {
		return nil, Sharing("the rewritten file would not have the plan, or the marker beside it")
	}
	return m, SameArchive(old, data, shift)
}

// Sharing returns the refusal of a file whose parts share bytes, so that changing one part
// would change another.
func Sharing(text string, args ...any) error {
	return &RefusedError{"parts of the file share bytes: " + fmt.Sprintf(text, args...), false}
}

// Difference names a part that differs between two models, or returns "". It ignores plans,
// markers and the move of all bytes by shift.
func Difference(a, b *tflite.Model, shift int64) string {
	switch {
	case a.Identified != b.Identified || a.Version != b.Version || a.Description != b.Description:
		return "header"
	case !reflect.DeepEqual(a.OperatorCodes, b.OperatorCodes):
		return "operator codes"
	case !reflect.DeepEqual(a.Signatures, b.Signatures):
		return "signatures"
	case !sameMetadata(a, b):
		return "metadata"
	case !sameSubgraphs(a, b, shift):
		return "subgraphs"
	case !sameBuffers(a, b, shift):
		return "buffers"
	}
	return ""
}

func sameMetadata(a, b *tflite.Model) bool {
	others := func(m *tflite.Model) (list []tflite.Metadata) {
		for _, md := range m.Metadata {
			if !Ours(md.Name) {
				list = append(list, md)
			}
		}
		return list
	}
	return reflect.DeepEqual(others(a), others(b))
}

func sameSubgraphs(a, b *tflite.Model, shift int64) bool {
	if len(a.Subgraphs) != len(b.Subgraphs) {
		return false
	}
	for i := range a.Subgraphs {
		s, t := a.Subgraphs[i], b.Subgraphs[i]
		if len(s.Operators) != len(t.Operators) {
			return false
		}
		for j := range s.Operators {
			if !SameOperator(a, b, &s.Operators[j], &t.Operators[j], shift) {
				return false
			}
		}
		if len(s.Tensors) != len(t.Tensors) {
			return false
		}
		for j := range s.Tensors {
			if !sameFields(&s.Tensors[j], &t.Tensors[j]) {
				return false
			}
		}
		s.Operators, t.Operators, s.Tensors, t.Tensors = nil, nil, nil, nil
		if !reflect.DeepEqual(s, t) {
			return false
		}
	}
	return true
}

// SameOperator compares two operators as a reader sees them, including custom options stored
// after the flatbuffer, outside any table.
func SameOperator(a, b *tflite.Model, o, p *tflite.Operator, shift int64) bool {
	if !sameFields(o, p) {
		return false
	}
	s, t := o.Table(), p.Table()
	if !bytes.Equal(s.CustomOptionsBytes(), t.CustomOptionsBytes()) || s.CustomOptionsFormat() != t.CustomOptionsFormat() ||
		s.BuiltinOptionsType() != t.BuiltinOptionsType() || s.BuiltinOptions2Type() != t.BuiltinOptions2Type() ||
		s.DebugMetadataIndex() != t.DebugMetadataIndex() || !sameFlags(&s, &t) {
		return false
	}
	return s.LargeCustomOptionsSize() == t.LargeCustomOptionsSize() &&
		followed(a, s.LargeCustomOptionsOffset(), shift) == t.LargeCustomOptionsOffset()
}

// sameFields compares the exported fields of two structs of the same type, given by pointers.
// Unexported fields are tables, whose positions differ between files.
func sameFields(a, b any) bool {
	x, y := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	for i := range x.NumField() {
		if x.Type().Field(i).IsExported() && !reflect.DeepEqual(x.Field(i).Interface(), y.Field(i).Interface()) {
			return false
		}
	}
	return true
}

func sameFlags(s, t *schema.Operator) bool {
	if s.MutatingVariableInputsLength() != t.MutatingVariableInputsLength() {
		return false
	}
	for i := range s.MutatingVariableInputsLength() {
		if s.MutatingVariableInputs(i) != t.MutatingVariableInputs(i) {
			return false
		}
	}
	return true
}

// followed returns an absolute position after the file's bytes moved back by shift.
func followed(m *tflite.Model, position uint64, shift int64) uint64 {
	if position <= 1 || position > uint64(len(m.Data)) {
		return position
	}
	return position + uint64(shift)
}

func sameBuffers(a, b *tflite.Model, shift int64) bool {
	carried := map[int]bool{}
	for _, m := range []*tflite.Model{a, b} {
		for _, md := range m.Metadata {
			if Ours(md.Name) {
				carried[md.Buffer] = true
			}
		}
	}
	for i := range max(len(a.Buffers), len(b.Buffers)) {
		switch {
		case i >= len(a.Buffers):
			// The buffers of the new plan and marker, and an empty buffer 0 before them.
			if !carried[i] && (i > 0 || b.Buffers[0].Present) {
				return false
			}
		case i >= len(b.Buffers):
			if !carried[i] {
				return false
			}
		case !sameBuffer(a.Buffers[i], b.Buffers[i], shift, carried[i]):
			return false
		}
	}
	return true
}

func sameBuffer(a, b tflite.Buffer, shift int64, carried bool) bool {
	if a.Data != nil {
		a.Offset += shift
	}
	return a.Present == b.Present && a.Outside == b.Outside && a.Offset == b.Offset &&
		len(a.Data) == len(b.Data) && (carried || bytes.Equal(a.Data, b.Data))
}

// SameArchive opens the zip archives at the ends of both files and compares their contents. It
// does nothing if the old file has no archive that opens.
func SameArchive(old *tflite.Model, data []byte, shift int64) error {
	if n := len(old.Trailing); n == 0 || old.Trailing[n-1].Kind != "zip" {
		return nil
	}
	a, err := zip.NewReader(bytes.NewReader(old.Data), int64(len(old.Data)))
	if err != nil {
		return nil
	}
	b, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(a.File) != len(b.File) {
		return Sharing("the zip archive of the rewritten file would not open")
	}
	for i := range a.File {
		x, errA := a.File[i].DataOffset()
		y, errB := b.File[i].DataOffset()
		if !reflect.DeepEqual(a.File[i].FileHeader, b.File[i].FileHeader) || errA == nil && (errB != nil || x+shift != y) {
			return Sharing("the zip archive of the rewritten file would differ in %q", a.File[i].Name)
		}
	}
	return nil
}

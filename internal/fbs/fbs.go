// Package fbs reads the part of the FlatBuffers schema language that the TensorFlow Lite schema uses:
// enums, unions of tables, and tables whose fields have explicit ids.
//
// The generator of the verifier's table, the tests that compare that table with the schema, and the
// mutator of the fuzz tests use it. Schemas are not parsed at run time.
package fbs

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A Schema is the parsed text in its order.
type Schema struct {
	Enums  []Enum
	Unions []Union
	Tables []Table
}

// An Enum is a set of named integers of one scalar type.
type Enum struct {
	Name, Type string
	Values     []Value
}

// A Value is one member of an enum.
type Value struct {
	Name   string
	Number int64
}

// A Union names the tables that its tags 1, 2, ... stand for.
type Union struct {
	Name    string
	Members []string
}

// A Table lists its fields by ascending id, as written.
type Table struct {
	Name   string
	Fields []Field
}

// A Field is one field of a table. The tag of a union has the id ID-1.
type Field struct {
	Name string
	// Type is the element's type if Vector is true.
	Type       string
	Vector     bool
	ID         int
	ForceAlign int
}

var (
	comment     = regexp.MustCompile(`//[^\n]*`)
	declaration = regexp.MustCompile(`(?s)\b(enum|union|table)\s+(\w+)\s*(?::\s*(\w+)\s*)?\{([^}]*)\}`)
	enumMember  = regexp.MustCompile(`^(\w+)\s*=\s*(-?\d+)$`)
	tableField  = regexp.MustCompile(`^(\w+)\s*:\s*(\[?)(\w+)\]?\s*(?:=\s*[\w.-]+\s*)?\(([^)]*)\)$`)
)

// Parse returns the declarations of a schema text. An error names the declaration and the member
// outside of the subset.
func Parse(text string) (*Schema, error) {
	s := &Schema{}
	for _, m := range declaration.FindAllStringSubmatch(comment.ReplaceAllString(text, ""), -1) {
		if err := s.add(m[1], m[2], m[3], m[4]); err != nil {
			return nil, fmt.Errorf("%s %s: %w", m[1], m[2], err)
		}
	}
	return s, nil
}

func (s *Schema) add(keyword, name, scalar, body string) error {
	switch keyword {
	case "enum":
		values, err := enumValues(body)
		s.Enums = append(s.Enums, Enum{name, scalar, values})
		return err
	case "union":
		s.Unions = append(s.Unions, Union{name, split(body, ",")})
		return nil
	default:
		fields, err := tableFields(body)
		s.Tables = append(s.Tables, Table{name, fields})
		return err
	}
}

func enumValues(body string) ([]Value, error) {
	var values []Value
	for _, member := range split(body, ",") {
		m := enumMember.FindStringSubmatch(member)
		if m == nil {
			return nil, fmt.Errorf("member %q has no explicit value", member)
		}
		number, err := strconv.ParseInt(m[2], 10, 64)
		if err != nil {
			return nil, err
		}
		values = append(values, Value{m[1], number})
	}
	return values, nil
}

func tableFields(body string) ([]Field, error) {
	var fields []Field
	for _, member := range split(body, ";") {
		m := tableField.FindStringSubmatch(member)
		if m == nil {
			return nil, fmt.Errorf("field %q is not of the form name:type (id: n)", member)
		}
		f := Field{Name: m[1], Vector: m[2] != "", Type: m[3], ID: -1}
		if err := f.attributes(m[4]); err != nil {
			return nil, fmt.Errorf("field %s: %w", f.Name, err)
		}
		fields = append(fields, f)
	}
	return fields, nil
}

func (f *Field) attributes(list string) error {
	for _, attribute := range split(list, ",") {
		key, value, _ := strings.Cut(attribute, ":")
		var err error
		switch strings.TrimSpace(key) {
		case "id":
			f.ID, err = strconv.Atoi(strings.TrimSpace(value))
		case "force_align":
			f.ForceAlign, err = strconv.Atoi(strings.TrimSpace(value))
		case "deprecated":
		default:
			err = fmt.Errorf("unknown attribute %q", attribute)
		}
		if err != nil {
			return err
		}
	}
	if f.ID < 0 {
		return fmt.Errorf("no id")
	}
	return nil
}

// split cuts a list at its separators and drops blank elements.
func split(list, separator string) []string {
	var parts []string
	for _, part := range strings.Split(list, separator) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

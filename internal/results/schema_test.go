package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/provenance"
)

// printed are the commands that print JSON, and what they print of each input.
var printed = []struct {
	command string
	element any
}{
	{"analyze", Analysis{}},
	{"plan", Plan{}},
	{"compare", Contest{}},
	{"rewrite", Rewrite{}},
	{"fit", Fit{}},
	{"fit frontier", Frontier{}},
	{"stream", Stream{}},
	{"stream sweep", StreamSweep{}},
	{"verify", Verification{}},
	{"check", Check{}},
	{"diff", Diff{}},
	{"replay", Replay{}},
	{"report", Report{}},
	{"models list", Network{}},
	{"targets", Target{}},
}

// documents returns the types that are printed: documents, their elements, and what is no document.
func documents() []reflect.Type {
	list := []reflect.Type{
		reflect.TypeOf(Document{}), reflect.TypeOf(TraceDocument{}), reflect.TypeOf(Failed{}), reflect.TypeOf(Version{}), reflect.TypeOf(Manifest{}),
	}
	for _, p := range printed {
		list = append(list, reflect.TypeOf(p.element))
	}
	return list
}

// TestSchemas compares the schemas in docs/schema with the types of this package; -update writes
// them.
func TestSchemas(t *testing.T) {
	d := describe(t, documents())
	for _, p := range printed {
		s := &schemaMaker{t: t, descriptions: d, defs: map[string]object{}}
		s.check(p.command, s.document(p.command, reflect.TypeOf(p.element)))
	}
	s := &schemaMaker{t: t, descriptions: d, defs: map[string]object{}}
	s.check("version", append(s.head("version"), s.fields(reflect.TypeOf(Version{}), nil)...))
	s = &schemaMaker{t: t, descriptions: d, defs: map[string]object{}}
	root := s.head("segments")
	root.set("title", "the manifest that tflarena stream --segments writes")
	s.check("segments", append(root, s.fields(reflect.TypeOf(Manifest{}), nil)...))
}

// TestTables compares the tables of docs/json.md with the types of this package; -update writes
// them.
func TestTables(t *testing.T) {
	d := describe(t, documents())
	page := filepath.Join("..", "..", "docs", "json.md")
	var schemas strings.Builder
	for _, p := range printed {
		fmt.Fprintf(&schemas, "- [%s](schema/%s)\n", p.command, fileName(p.command))
	}
	schemas.WriteString("- [version](schema/version.json), which is no document\n")
	schemas.WriteString("- [segments](schema/segments.json), the manifest of `stream --segments`\n")
	golden.Section(t, page, "schemas", schemas.String())
	golden.Section(t, page, "fields of a document", d.table(reflect.TypeOf(Document{})))
	golden.Section(t, page, "fields of the marker", d.table(reflect.TypeOf(rewrite.Marker{})))
	golden.Section(t, page, "fields of the record of rules", d.table(reflect.TypeOf(provenance.Record{})))
}

// check compares the schema of a command with its file.
func (s *schemaMaker) check(command string, root object) {
	s.t.Helper()
	var defs object
	for _, name := range s.order {
		defs = append(defs, member{name, s.defs[name]})
	}
	if len(defs) > 0 {
		root = append(root, member{"$defs", defs})
	}
	data, err := JSON(root)
	if err != nil {
		s.t.Fatal(err)
	}
	golden.File(s.t, filepath.Join("..", "..", "docs", "schema", fileName(command)), data)
}

// fileName returns the name of the file with the schema of a command.
func fileName(command string) string { return strings.ReplaceAll(command, " ", "-") + ".json" }

// An object is a JSON object that keeps the order of its members.
type object []member

type member struct {
	name  string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, m := range o {
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%s%q:%s", map[bool]string{true: "{", false: ","}[i == 0], m.name, value)
	}
	return append(b.Bytes(), '}'), nil
}

// A schemaMaker makes a schema: defs are the types that it has seen, in order.
type schemaMaker struct {
	t            *testing.T
	descriptions *descriptions
	command      string // of a document
	elements     object // the schema of its elements
	defs         map[string]object
	order        []string
}

func (s *schemaMaker) head(command string) object {
	return object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"$id", fmt.Sprintf("urn:tflarena:%d:%s", SchemaVersion, strings.ReplaceAll(command, " ", "-"))},
		{"title", "tflarena " + command + " --json"},
	}
}

// document returns the schema of a [Document] whose elements are of a type.
func (s *schemaMaker) document(command string, element reflect.Type) object {
	document := reflect.TypeOf(Document{})
	if element == reflect.TypeOf(Replay{}) {
		document = reflect.TypeOf(TraceDocument{})
	}
	s.command, s.elements = command, object{{"oneOf", []object{s.ref(element), s.ref(reflect.TypeOf(Failed{}))}}}
	return append(s.head(command), s.fields(document, func(field string) bool {
		return field == "tables" && command != "compare"
	})...)
}

func (o object) set(name string, value any) {
	for i := range o {
		if o[i].name == name {
			o[i].value = value
		}
	}
}

// ref returns a reference to the schema of a struct.
func (s *schemaMaker) ref(t reflect.Type) object {
	name := t.Name()
	if own, ok := typeNames[t]; ok {
		name = own
	}
	if _, known := s.defs[name]; !known {
		s.defs[name] = nil // types may hold each other
		s.order = append(s.order, name)
		s.defs[name] = s.object(t)
	}
	return object{{"$ref", "#/$defs/" + name}}
}

// object returns the schema of a struct: two where it has another form with a problem.
func (s *schemaMaker) object(t reflect.Type) object {
	other, ok := withProblem[t]
	if !ok {
		return s.fields(t, nil)
	}
	return object{{"oneOf", []object{
		s.fields(t, func(field string) bool { return field == "problem" }),
		s.fields(t, func(field string) bool { return slices.Contains(other, field) }),
	}}}
}

// fields returns the schema of an object with the fields of a struct, but for those left out.
func (s *schemaMaker) fields(t reflect.Type, leftOut func(field string) bool) object {
	var properties object
	required := []string{}
	for _, f := range fieldsOf(t) {
		if leftOut != nil && leftOut(f.name) {
			continue
		}
		if _, problem := withProblem[t]; !f.optional || problem && f.name == "problem" {
			required = append(required, f.name)
		}
		properties = append(properties, member{f.name, s.property(f)})
	}
	return object{
		{"type", "object"},
		{"properties", properties},
		{"required", required},
		{"additionalProperties", false},
	}
}

// property returns the schema of a field.
func (s *schemaMaker) property(f jsonField) object {
	s.t.Helper()
	description, err := s.descriptions.of(f)
	if err != nil {
		s.t.Error(err)
	}
	return append(s.value(f, f.kind, description), member{"description", description})
}

// value returns the schema of values of a type in a field.
func (s *schemaMaker) value(f jsonField, t reflect.Type, description string) object {
	switch t.Kind() {
	case reflect.Pointer:
		return s.value(f, t.Elem(), description)
	case reflect.Struct:
		return s.ref(t)
	case reflect.Slice:
		return object{{"type", "array"}, {"items", s.value(f, t.Elem(), description)}}
	case reflect.Map:
		return object{{"type", "object"}, {"additionalProperties", s.value(f, t.Elem(), description)}}
	case reflect.Interface:
		return s.elements
	case reflect.Float64:
		return object{{"type", "number"}, {"minimum", 0}}
	case reflect.Bool:
		return object{{"type", "boolean"}}
	case reflect.String:
		if f.name == "command" {
			return object{{"const", s.command}}
		}
		if list := s.descriptions.choices(f, t); list != nil {
			return object{{"enum", list}}
		}
		return object{{"type", "string"}}
	}
	switch {
	case f.name == "schema_version":
		return object{{"const", SchemaVersion}}
	case f.name == "manifest_version":
		return object{{"const", ManifestVersion}}
	}
	number := object{{"type", "integer"}}
	if least := minimum(description); least != nil {
		number = append(number, member{"minimum", *least})
	}
	return number
}

// minusOne is a value of a field in its description, and no difference.
var minusOne = regexp.MustCompile(`(^| )-1\b`)

// minimum returns the least value of an integer, nil without one: integers are negative only if
// their description says so.
func minimum(description string) *int {
	least := 0
	switch {
	case strings.Contains(description, "negative"):
		return nil
	case minusOne.MatchString(description):
		least = -1
	}
	return &least
}

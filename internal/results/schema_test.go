package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/golden"
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
}

// TestSchemas compares the schemas in docs/schema with the types of this package.
func TestSchemas(t *testing.T) {
	for _, p := range printed {
		s := &schemaMaker{defs: map[string]object{}}
		root := s.document(p.command, reflect.TypeOf(p.element))
		checkSchema(t, s, strings.ReplaceAll(p.command, " ", "-"), root)
	}
	s := &schemaMaker{defs: map[string]object{}}
	root := s.head("version")
	checkSchema(t, s, "version", append(root, s.fields(reflect.TypeOf(Version{}), nil)...))
	s = &schemaMaker{defs: map[string]object{}}
	root = s.head("segments")
	root.set("title", "the manifest that tflarena stream --segments writes")
	checkSchema(t, s, "segments", append(root, s.fields(reflect.TypeOf(Manifest{}), nil)...))
}

// leftOut are the lists that JSON may lack, by their fields, and why.
var leftOut = map[string]string{
	"gaps": "most tensors have none", "lives": "only tensors in tiles have them", "shape": "what is no tensor of a model has none", "tables": "only compare without files has them",
	"object_sizes_bytes": "only plans of shared objects have them", "object_shapes": "only plans of textures have them", "layers": "only pages of stream have them in a graph", "start_steps": "only pages of tiles have them",
}

// TestListsAreThere: a list in JSON is there even if it is empty, but for those that docs/json.md excepts.
func TestListsAreThere(t *testing.T) {
	document, err := os.ReadFile(filepath.Join("..", "..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	lists := 0
	seen := map[reflect.Type]bool{}
	var look func(of reflect.Type)
	look = func(of reflect.Type) {
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice || of.Kind() == reflect.Map {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct || seen[of] {
			return
		}
		seen[of] = true
		(&schemaMaker{}).walk(of, func(field string, f reflect.StructField, _ bool) {
			_, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.Type.Kind() == reflect.Slice {
				lists++
				if excepted := leftOut[field] != "" && strings.Contains(string(document), "`"+field+"`"); options != "" && !excepted {
					t.Errorf("%s.%s may be left out of JSON", of.Name(), field)
				}
			}
			look(f.Type)
		})
	}
	for _, p := range printed {
		look(reflect.TypeOf(p.element))
	}
	for _, v := range []any{Document{}, Version{}, Manifest{}, Failed{}} {
		look(reflect.TypeOf(v))
	}
	if lists < 40 {
		t.Errorf("%d lists are too few to tell", lists)
	}
}

func checkSchema(t *testing.T, s *schemaMaker, name string, root object) {
	t.Helper()
	for _, missing := range s.missing {
		t.Errorf("%s: %s: there is no description of it in schema_words_test.go", name, missing)
	}
	var defs object
	for _, name := range s.order {
		defs = append(defs, member{name, s.defs[name]})
	}
	if len(defs) > 0 {
		root = append(root, member{"$defs", defs})
	}
	data, err := JSON(root)
	if err != nil {
		t.Fatal(err)
	}
	golden.File(t, filepath.Join("..", "..", "docs", "schema", name+".json"), data)
}

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
	defs    map[string]object
	order   []string
	missing []string
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
	elements := object{{"oneOf", []object{s.ref(element), s.ref(reflect.TypeOf(Failed{}))}}}
	document := reflect.TypeOf(Document{})
	if element == reflect.TypeOf(Replay{}) {
		document = reflect.TypeOf(TraceDocument{})
	}
	root := append(s.head(command), s.fields(document, func(field string) bool {
		return field == "tables" && command != "compare"
	})...)
	for _, m := range root {
		if properties, ok := m.value.(object); ok && m.name == "properties" {
			properties.set("command", object{{"const", command}, {"description", words["command"]}})
			properties.set("models", object{{"type", "array"}, {"items", elements}, {"description", words["models"]}})
			properties.set("traces", object{{"type", "array"}, {"items", elements}, {"description", words["traces"]}})
		}
	}
	return root
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
	s.walk(t, func(field string, f reflect.StructField, optional bool) {
		if leftOut != nil && leftOut(field) {
			return
		}
		if _, problem := withProblem[t]; !optional || problem && field == "problem" {
			required = append(required, field)
		}
		properties = append(properties, member{field, s.property(t, field, f.Type)})
	})
	return object{
		{"type", "object"},
		{"properties", properties},
		{"required", required},
		{"additionalProperties", false},
	}
}

// walk calls f for the fields of a struct and of those that it embeds.
func (s *schemaMaker) walk(t reflect.Type, f func(field string, of reflect.StructField, optional bool)) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous:
			s.walk(field.Type, f)
		case name != "" && name != "-":
			f(name, field, options != "" || slices.Contains(sometimes[t], name))
		}
	}
}

func (s *schemaMaker) property(t reflect.Type, field string, of reflect.Type) object {
	description := words[t.Name()+"."+field]
	if description == "" {
		description = words[field]
	}
	if description == "" {
		s.missing = append(s.missing, t.Name()+"."+field)
	}
	return append(s.value(t.Name(), field, of), member{"description", description})
}

// value returns the schema of the value of a field.
func (s *schemaMaker) value(owner, field string, t reflect.Type) object {
	switch t.Kind() {
	case reflect.Pointer:
		return s.value(owner, field, t.Elem())
	case reflect.Struct:
		return s.ref(t)
	case reflect.Slice:
		return object{{"type", "array"}, {"items", s.value(owner, field, t.Elem())}}
	case reflect.Map:
		return object{{"type", "object"}, {"additionalProperties", s.value(owner, field, t.Elem())}}
	case reflect.Float64:
		return object{{"type", "number"}, {"minimum", 0}}
	case reflect.Bool:
		return object{{"type", "boolean"}}
	case reflect.String:
		return textSchema(owner, field)
	}
	switch {
	case field == "schema_version":
		return object{{"const", SchemaVersion}}
	case field == "manifest_version":
		return object{{"const", ManifestVersion}}
	case slices.Contains(signed, field):
		return object{{"type", "integer"}}
	case slices.Contains(fromMinusOne, field):
		return object{{"type", "integer"}, {"minimum", -1}}
	}
	return object{{"type", "integer"}, {"minimum", 0}}
}

func textSchema(owner, field string) object {
	for _, name := range []string{owner + "." + field, field} {
		if list, ok := choices[name]; ok && list == nil {
			break
		} else if ok {
			return object{{"enum", list}}
		}
	}
	return object{{"type", "string"}}
}

package budget

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/target"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/lifetime/rules"
)

type object = map[string]any

// values are the schemas of values by key.
func values() object {
	count := object{"type": "integer", "minimum": 0}
	size := object{"anyOf": []any{count, object{"type": "string", "pattern": `^\s*[0-9.][0-9.,]*\s*([KMGTkmgt]?([Ii]?[Bb])?)\s*$`}}}
	growth := object{"anyOf": []any{count, object{"type": "string", "pattern": `^\s*[0-9.][0-9.,]*\s*([KMGTkmgt]?([Ii]?[Bb])?|%)\s*$`}}}
	name := object{"enum": targetNames()}
	return object{
		"max_arena": size, "max_head": size, "max_tensor": size, "max_growth": growth, "used_bytes": size,
		"base":               object{"type": "string"},
		"target":             object{"anyOf": []any{name, object{"type": "array", "items": name, "minItems": 1, "uniqueItems": true}}},
		"alias":              object{"enum": rules.AllAliases()},
		"resource_variables": object{"type": "integer", "minimum": 0, "maximum": MaxResourceVariables},
		"calibrate":          object{"type": "string", "minLength": 1},
	}
}

// projectSchema returns the JSON Schema of a project file.
func projectSchema(t *testing.T) []byte {
	t.Helper()
	known := values()
	// closed returns the schema of a table with the keys for which has is true, and others.
	closed := func(has func(name string, limit bool) bool, others object) object {
		for _, k := range keys {
			value, ok := known[k.name].(object)
			if !ok {
				t.Fatalf("key %s has no schema", k.name)
			}
			if has(k.name, k.limit) {
				described := object{"description": sentence(k.about)}
				for name, v := range value {
					described[name] = v
				}
				others[k.name] = described
			}
		}
		return object{"type": "object", "properties": others, "additionalProperties": false, "not": object{"required": []string{"used_bytes", "base"}}}
	}
	targets := object{
		"type": "object", "propertyNames": object{"enum": targetNames()}, "additionalProperties": object{"$ref": "#/$defs/limits"},
		"description": sentence(aboutTargets),
	}
	root := closed(func(name string, _ bool) bool { return name != "used_bytes" }, object{
		"targets": targets,
		"models":  object{"type": "object", "additionalProperties": object{"$ref": "#/$defs/model"}, "description": "Settings of single models, by path or pattern relative to the folder of this file."},
	})
	root["$schema"], root["$id"], root["title"] = "https://json-schema.org/draft/2020-12/schema", "urn:tflarena:project", "tflarena.toml"
	root["$defs"] = object{
		"limits": closed(func(_ string, limit bool) bool { return limit }, object{}),
		"model":  closed(func(string, bool) bool { return true }, object{"targets": targets}),
	}
	data, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(data, '\n')
}

// targetNames returns the names of all targets.
func targetNames() (names []string) {
	for _, t := range target.List() {
		names = append(names, t.Name)
	}
	return names
}

// sentence makes a sentence of a description.
func sentence(about string) string { return strings.ToUpper(about[:1]) + about[1:] + "." }

// TestSchema compares the schema of project files, which editors use, with the table of keys.
func TestSchema(t *testing.T) {
	golden.File(t, filepath.Join("..", "..", "docs", "schema", "tflarena.toml.json"), projectSchema(t))
}

// TestSchemaAgrees: the schema takes a file if and only if the command does.
func TestSchemaAgrees(t *testing.T) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(projectSchema(t)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("urn:tflarena:project", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("urn:tflarena:project")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"targets", "models", "max_area"}
	for _, k := range keys {
		names = append(names, k.name)
	}
	fits := map[string]*rapid.Generator[any]{
		"target": rapid.OneOf(rapid.Just[any]("host"), rapid.Just[any]([]any{"host", "esp32-s3"})),
		"alias":  rapid.Just[any]("elementwise"), "base": rapid.Just[any]("a.tflite"), "calibrate": rapid.Just[any]("a.csv"),
		"resource_variables": rapid.Map(rapid.IntRange(0, 9), func(n int) any { return n }), "max_growth": rapid.Just[any]("2%"),
	}
	size := rapid.SampledFrom([]any{0, 65536, "128KiB", "64K", " 1.5 mib ", "1,024", "7B"})
	wrong := rapid.SampledFrom([]any{-1, 1.5, true, "", "many", "2%", "1XB", []any{}, []any{"host", "host"}, object{}, "host", "esp33", MaxResourceVariables + 1})
	taken := 0
	var section func(t *rapid.T, depth int) object
	section = func(t *rapid.T, depth int) object {
		o := object{}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 3, rapid.ID).Draw(t, "keys") {
			draw := fits[name]
			switch {
			case name == "models" || name == "targets":
				inner := object{}
				if depth < 2 {
					inner[rapid.SampledFrom([]string{"host", "esp32-s3", "a.tflite"}).Draw(t, "name")] = section(t, depth+1)
				}
				draw = rapid.Just[any](inner)
			case draw == nil:
				draw = size
			}
			if rapid.IntRange(0, 9).Draw(t, "wrong") == 0 {
				draw = wrong
			}
			o[name] = draw.Draw(t, name)
		}
		return o
	}
	rapid.Check(t, func(t *rapid.T) {
		text, err := json.Marshal(section(t, 0))
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		_, refused := Parse(text, "budget.json")
		if invalid := schema.Validate(value); (invalid == nil) != (refused == nil) {
			t.Fatalf("%s\ncommand: %v\nschema: %v", text, refused, invalid)
		}
		if refused == nil {
			taken++
		}
	})
	if taken < 10 {
		t.Errorf("only %d files are right", taken)
	}
}

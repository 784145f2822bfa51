package budget

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/lifetime/rules"
)

const project = `# A project.
target = ["esp32-s3", "host"]
alias = "elementwise"
max_arena = "256K"
targets.esp32-s3.max_arena = 0x40_00

[models."wake.tflite"]
max_arena = 65_536
resource_variables = 2
max_growth = "2%"
used_bytes = 54312
[models."wake.tflite".targets.host]
max_head = "1M"

[models]
"vision/*.tflite" = {target = "host", targets = {host = {max_arena = 7}}}
`

func TestTOML(t *testing.T) {
	f, err := Parse([]byte(project), "tflarena.toml")
	if err != nil {
		t.Fatal(err)
	}
	same, err := Parse([]byte(`{"target": ["esp32-s3", "host"], "alias": "elementwise", "max_arena": "256K", "targets": {"esp32-s3": {"max_arena": 16384}},
		"models": {"wake.tflite": {"max_arena": 65536, "resource_variables": 2, "max_growth": "2%", "used_bytes": 54312, "targets": {"host": {"max_head": 1048576}}},
		"vision/*.tflite": {"target": "host", "targets": {"host": {"max_arena": 7}}}}}`), "budget.json")
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(f, same) {
		t.Errorf("%+v and %+v", f, same)
	}
	two := 2
	both := Settings{Targets: []string{"esp32-s3", "host"}, Alias: rules.ElementwiseAlias}
	for _, c := range []struct {
		model, target string
		want          Settings
	}{
		{"x.tflite", "", Settings{Limits: Limits{Arena: size(1 << 18)}, Targets: both.Targets, Alias: both.Alias}},
		{"x.tflite", "esp32-s3", Settings{Limits: Limits{Arena: size(1 << 14)}, Targets: both.Targets, Alias: both.Alias}},
		{"vision/x.tflite", "esp32-s3", Settings{Limits: Limits{Arena: size(1 << 14)}, Targets: []string{"host"}, Alias: both.Alias}},
		{"vision/x.tflite", "host", Settings{Limits: Limits{Arena: size(7)}, Targets: []string{"host"}, Alias: both.Alias}},
	} {
		if diff := cmp.Diff(c.want, f.For(c.model, c.target)); diff != "" {
			t.Errorf("%s on %s: %s", c.model, c.target, diff)
		}
	}
	wake := f.For("wake.tflite", "host")
	if *wake.Arena != 65536 || *wake.Head != 1<<20 || *wake.ResourceVariables != two || wake.Base.Bytes != 54312 {
		t.Errorf("%+v", wake)
	}
}

// TestPrecedence: a limit of a model on a target comes from the first place that has it: the model's
// targets, the model, the targets of a pattern, the pattern, in order, and last the top.
func TestPrecedence(t *testing.T) {
	places := []string{
		`models."a/b.tflite".targets.host.max_arena`, `models."a/b.tflite".max_arena`,
		`models."a/*.tflite".targets.host.max_arena`, `models."a/*.tflite".max_arena`,
		`models."?/b.tflite".targets.host.max_arena`, `models."?/b.tflite".max_arena`,
		`targets.host.max_arena`, `max_arena`,
	}
	rapid.Check(t, func(t *rapid.T) {
		has := rapid.SliceOfN(rapid.Bool(), len(places), len(places)).Draw(t, "has")
		text := "models.\"a/*.tflite\".max_head = 1\nmodels.\"?/b.tflite\".max_head = 2\n"
		for _, i := range rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7}).Draw(t, "order") {
			if has[i] {
				text += fmt.Sprintf("%s = %d\n", places[i], i+1)
			}
		}
		f, err := Parse([]byte(text), "tflarena.toml")
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range []string{"host", "esp32-s3", ""} {
			first := 0
			for i := len(places) - 1; i >= 0; i-- {
				if has[i] && (target == "host" || !strings.Contains(places[i], "targets")) {
					first = i + 1
				}
			}
			got := f.For("a/b.tflite", target)
			if first == 0 && got.Arena != nil || first > 0 && (got.Arena == nil || int(*got.Arena) != first) {
				t.Fatalf("%s\non %q: %+v, not %d", text, target, got.Arena, first)
			}
			if *got.Head != 1 {
				t.Fatalf("the head of the second pattern: %d", *got.Head)
			}
		}
	})
}

func TestTOMLRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"\n\n    max_aerna = 1":                "line 3, column 5: max_aerna: unknown key: did you mean max_arena?",
		"[models.\"é\"]\n[models.\"é\".x]":     `line 2, column 13: models."é".x: unknown key`,
		"x.y = 1":                              "line 1, column 1: x: unknown key",
		"target = 'esp32s3'":                   `line 1, column 1: target: unknown target "esp32s3": did you mean esp32-s3?`,
		"target = ['host', 'host']":            "host is named twice",
		"target = 1":                           "a list of names",
		"[targets.esp32s3]":                    "line 1, column 10: targets.esp32s3: unknown target",
		"[targets.host]\nalias = 'none'":       "line 2, column 1: targets.host.alias: unknown key",
		"alias = 'elementwize'":                "alias: unknown level: did you mean elementwise?",
		"alias = 1":                            "alias: unknown level",
		"calibrate = 1":                        "calibrate: use the path",
		"resource_variables = -1":              "resource_variables: use a number from 0",
		"resource_variables = 1.0":             "resource_variables: use a number from 0",
		"[[models]]":                           "line 1, column 3: models: an array of tables",
		"max_arena = 1979-05-27":               "max_arena: 1979-05-27 is a date",
		"max_arena = 99999999999999999999":     "out of range",
		"max_arena = inf":                      "max_arena: size",
		"max_arena = [1]":                      "max_arena: this is not a size",
		"max_arena = 1\nmax_arena = 2":         "line 2, column 1: max_arena: defined twice",
		"[models.a]\n[models.a]":               "line 2, column 9: models.a: defined twice",
		"models.a.max_arena = 1\n[models.a]":   "line 2, column 9: models.a: defined twice",
		"models = {a = {}}\n[models.b]":        "line 2, column 2: models: defined twice",
		"[models.a.b]\n[models]\na.max_head=1": "line 3, column 1: models.a: defined twice",
		"max_arena = \"64K":                    "line 1, column ",
		"max_arena":                            "line 1, column ",
		"max_arena = 64K":                      "line 1, column ",
		"used_bytes = 1":                       "used_bytes is the size of a single model",
		"models = 1":                           "models: must be an object or a table",
		"[models.a]\nbase = 1":                 "base: 1 is not a path",
	} {
		refused(t, text, "tflarena.toml", want)
	}
}

// plain converts a value to what the whole library decodes it to.
func plain(value any) any {
	switch v := value.(type) {
	case *table:
		m := map[string]any{}
		for _, x := range v.members {
			m[x.key] = plain(x.value)
		}
		return m
	case []any:
		list := []any{}
		for _, x := range v {
			list = append(list, plain(x))
		}
		return list
	case number:
		if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return n
		}
		if n, err := strconv.ParseFloat(string(v), 64); err == nil && !math.IsNaN(n) && !math.IsInf(n, 0) {
			return n
		}
		return "number"
	}
	return value
}

// FuzzTOML compares the reader with the whole library, which decodes the same.
func FuzzTOML(f *testing.F) {
	for _, text := range []string{project, "a.b = 1\na.c = [1, {x = 'y'}]\n[a.d]", "[a.b]\n[a]\nb.c = 1", "[a]\nb.c = 1\n[a.b.d]", "a = {b.c = 1, b.d = '''x\ny'''}", "a = 0o17\nb = +1_0\nc = 1e3", "[a.b.c]\n[a]\n[a.b]"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := parseTOML(data)
		if _, err := Parse(data, "tflarena.toml"); err == nil && got == nil {
			t.Fatal("parsed, but not as TOML")
		}
		if err != nil {
			return
		}
		var want map[string]any
		if err := toml.Unmarshal(data, &want); err != nil {
			t.Fatalf("the library refuses this: %v", err)
		}
		if want == nil {
			want = map[string]any{}
		}
		if diff := cmp.Diff(normal(want), plain(got)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// normal replaces the floats that are numbers of a text form only.
func normal(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for k := range v {
			v[k] = normal(v[k])
		}
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return "number"
		}
	}
	return value
}

// FuzzJSON compares the reader with encoding/json.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{`{"a": {"b": [1, "x", null, true, {}]}, "c": 1.5}`, `{"a": 1, "a": 2}`, "{}{}", `{"é": "\u00e9"}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := parseJSON(data)
		if err != nil {
			return
		}
		var want map[string]any
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatalf("encoding/json refuses this: %v", err)
		}
		if len(want) != len(got.members) {
			t.Fatalf("%d members, not %d", len(got.members), len(want))
		}
	})
}

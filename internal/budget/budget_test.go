package budget

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func size(n Size) *Size { return &n }

func TestFor(t *testing.T) {
	f, err := Parse([]byte(`{"max_arena": "64KiB", "max_head": 5,
		"models": {"sub/a.tflite": {"max_arena": 7}, "b.tflite": {"max_tensor": "1 KiB", "max_head": null}}}`), filepath.Join("dir", "budget.json"))
	if err != nil {
		t.Fatal(err)
	}
	absolute, err := filepath.Abs(filepath.Join("dir", "b.tflite"))
	if err != nil {
		t.Fatal(err)
	}
	for model, want := range map[string]Limits{
		filepath.Join("dir", "sub", "a.tflite"):            {Arena: size(7), Head: size(5)},
		filepath.Join(".", "dir", "..", "dir", "b.tflite"): {Arena: size(65536), Head: size(5), Tensor: size(1024)},
		absolute:   {Arena: size(65536), Head: size(5), Tensor: size(1024)},
		"b.tflite": {Arena: size(65536), Head: size(5)},
		"-":        {Arena: size(65536), Head: size(5)},
	} {
		if diff := cmp.Diff(want, f.For(model, "").Limits); diff != "" {
			t.Errorf("%s: %s", model, diff)
		}
	}
	want := []string{filepath.Join("dir", "b.tflite"), filepath.Join("dir", "sub", "a.tflite")}
	if diff := cmp.Diff(want, f.Names()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"sub/a.tflite"}, f.Unused([]string{absolute})); diff != "" {
		t.Error(diff)
	}
	flags := Limits{Head: size(1)}
	if diff := cmp.Diff(Limits{Arena: size(7), Head: size(1)}, flags.Over(f.For(want[1], "").Limits)); diff != "" {
		t.Error(diff)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		``: "line 1, column 1: unexpected end of the file", `[]`: "line 1, column 1: must be an object", "{\n\"max_area\": 1}": "line 2, column 1: max_area: unknown key: did you mean max_arena?",
		"{\"models\": {\n\n\"a\": {\"arena\": 1}}}": `line 3, column 7: models.a.arena: unknown key`,
		`{"models": {"a": {"arena_bytes": 1}}}`:     "renamed: use used_bytes",
		`{"max_arena": -1}`:                         "line 1, column 2: max_arena: size \"-1\": ", `{"max_arena": 1.5}`: "not a whole number of bytes",
		"{\"max_head\": 1,\n\"max_arena\": \"1XB\"}": "line 2, column 1: max_arena: ", `{"max_arena": true}`: "true is not a size", `{"max_arena": {}}`: "is not a size",
		"{}\n{}": "line 2, column 1: text after", "{\"max_arena\": 1\n": "line 2, column 1: unexpected end of the file", "{\n\n!": "line 3, column 1: invalid character",
		"{\"max_arena\": 1,\n\"max_arena\": 2}":                                    "line 2, column 1: max_arena: defined twice",
		"{\"models\": {\"a\": {\"max_head\": 1},\n\"a\": {}}}":                     `line 2, column 1: models.a: defined twice`,
		"{\"models\": {\"a\": {\"max_head\": 1,\n\"max_head\": 1}}}":               `line 2, column 1: models.a.max_head: defined twice`,
		"{\"models\": {\"a\": {\"max_head\": 1},\n\"x/../a\": {\"max_head\": 2}}}": `line 2, column 1: models."x/../a": names the same file as "a"`,
		`{"models": {"a": 1}}`: `models.a: must be an object`, `{"models": [1]}`: "models: must be an object",
		strings.Repeat(`{"a":[`, 50): "nested more than 16 deep", `{"target": "esp32s3x"}`: "target: unknown target", `{"target": []}`: "at least one target",
		`{"targets": {"esp32-s3": {"target": "host"}}}`: "targets.esp32-s3.target: unknown key",
	} {
		refused(t, text, "budget.json", want)
	}
	if f, err := Parse([]byte(`{"models": null, "max_head": null}`), ""); err != nil || !f.For("x", "").None() {
		t.Errorf("%+v, %v", f, err)
	}
}

func refused(t *testing.T, text, path, want string) {
	t.Helper()
	_, err := Parse([]byte(text), path)
	if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v, want %q", text, err, want)
	}
}

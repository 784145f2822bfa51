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
		if diff := cmp.Diff(want, f.For(model)); diff != "" {
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
	if diff := cmp.Diff(Limits{Arena: size(7), Head: size(1)}, flags.Over(f.For(want[1]))); diff != "" {
		t.Error(diff)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		``: "EOF", `[]`: "cannot unmarshal", `{"max_area": 1}`: "unknown field", `{"models": {"a": {"arena": 1}}}`: "unknown field",
		`{"max_arena": -1}`: "not a number of bytes", `{"max_arena": 1.5}`: "not a whole number of bytes", `{"max_arena": "1KB"}`: "unknown unit",
		`{"max_arena": true}`: "unknown unit", `{} {}`: "something follows", `{"max_arena": 1`: "EOF",
	} {
		_, err := Parse([]byte(text), "budget.json")
		if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if f, err := Parse([]byte(`{}`), ""); err != nil || !f.For("x").None() {
		t.Errorf("%+v, %v", f, err)
	}
}

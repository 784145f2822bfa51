package csource

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestIdentifier(t *testing.T) {
	allowed := regexp.MustCompile(`^[a-z]([a-z0-9]|_[a-z0-9])*$`)
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.String().Draw(t, "path")
		if got := Identifier(path, strings.ToLower); !allowed.MatchString(got) {
			t.Fatalf("%q: %q", path, got)
		}
	})
	for path, want := range map[string]string{
		"/x/vww_96-int8.tflite": "vww_96_int8", "builtin:mobilenet-v2": "mobilenet_v2", "<stdin>": "model", "8.tflite": "model_8", "é": "model", "a.b.tflite": "a_b",
	} {
		if got := Identifier(path, strings.ToLower); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

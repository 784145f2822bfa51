package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func permuted(line ...string) []string {
	p := &program{env: noTerminal()}
	return permute(p.app(), append([]string{name}, line...))[1:]
}

func TestPermute(t *testing.T) {
	for line, want := range map[string]string{
		"plan m --json":                "plan --json m",
		"plan m -s auto n":             "plan -s auto m n",
		"plan --json m":                "plan --json m",
		"plan m --strategy=auto":       "plan --strategy=auto m",
		"plan m -o - --json":           "plan -o - --json m",
		"plan - -o json=-":             "plan -o json=- -- -",
		"plan m -- --json -":           "plan -- m --json -",
		"plan m --unknown n":           "plan --unknown m n",
		"plan m --capacity":            "plan --capacity",
		"plan m -h":                    "plan --help",
		"plan -- -h":                   "plan -- -h",
		"models build n -o f":          "models build -o f n",
		"models build n --seed -5 -q":  "models build --seed -5 -q n",
		"foo --json":                   "--json foo",
		"":                             "",
		"plan m " + completionFlag:     "plan m " + completionFlag,
		"analyse m --ops --top 3 -- n": "analyse --ops --top 3 m n",
	} {
		if diff := cmp.Diff(strings.Fields(want), permuted(strings.Fields(line)...)); diff != "" {
			t.Errorf("%s: %s", line, diff)
		}
	}
}

// Where flags stand among the files changes nothing: files keep their order, and so
// do flags.
func TestPermuteKeepsOrder(t *testing.T) {
	options := [][]string{{"--json"}, {"-o", "csv=x"}, {"--top", "7"}, {"--runtime=litert"}, {"-q"}}
	rapid.Check(t, func(t *rapid.T) {
		var line, flags, files []string
		for range rapid.IntRange(0, 8).Draw(t, "words") {
			if rapid.Bool().Draw(t, "flag") {
				o := rapid.SampledFrom(options).Draw(t, "option")
				line, flags = append(line, o...), append(flags, o...)
			} else {
				f := rapid.SampledFrom([]string{"a", "b.tflite", "json"}).Draw(t, "file")
				line, files = append(line, f), append(files, f)
			}
		}
		want := append(append([]string{"plan"}, flags...), files...)
		if diff := cmp.Diff(want, permuted(append([]string{"plan"}, line...)...)); diff != "" {
			t.Fatalf("%q: %s", line, diff)
		}
	})
}

package spelling

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"
	"pgregory.net/rapid"
)

func TestNames(t *testing.T) {
	commands := []string{"analyze", "analyse", "plan", "compare", "rewrite", "verify", "fit", "check", "diff", "models", "man"}
	networks := []string{"mobilenet-v1", "mobilenet-v2", "posenet"}
	for _, c := range []struct {
		word  string
		names []string
		want  []string
	}{
		{"analize", commands, []string{"analyze"}},
		{"chekc", commands, []string{"check"}},
		{"PLAN", commands, []string{"plan"}},
		{"pan", commands, []string{"plan", "man"}},
		{"rew", commands, []string{"rewrite"}},
		{"esp", []string{"dsp", "esp-nn-s3", "cmsis-nn-mve", "esp-nn-p4"}, []string{"esp-nn-s3", "esp-nn-p4"}},
		{"best", commands, nil},
		{"", commands, nil},
		{"x", commands, nil},
		{"mobilenet", networks, []string{"mobilenet-v1", "mobilenet-v2"}},
		{"mobilenet_v2", networks, []string{"mobilenet-v2"}},
		{"posnet", networks, []string{"posenet"}},
		{"max_aerna", []string{"max_arena", "max_head"}, []string{"max_arena"}},
	} {
		if diff := cmp.Diff(c.want, Names(c.word, c.names)); diff != "" {
			t.Errorf("%q: %s", c.word, diff)
		}
	}
	if got := Hint("mobilenet", networks); got != "did you mean mobilenet-v1 or mobilenet-v2? " {
		t.Error(got)
	}
	if got := Hint("best", commands); got != "" {
		t.Error(got)
	}
	if got := List(networks, "and"); got != "mobilenet-v1, mobilenet-v2 and posenet" {
		t.Error(got)
	}
}

// TestOneEdit is a law: a long name with one edit, at any place, is recognised.
func TestOneEdit(t *testing.T) {
	names := []string{"greedy-by-size", "strip-packing", "hill-climb", "max-overhead"}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "name")
		i := rapid.IntRange(0, len(name)-1).Draw(t, "place")
		word := name[:i] + rapid.SampledFrom([]string{"", name[i:i+1] + "q", "q"}).Draw(t, "edit") + name[i+1:]
		if i > 0 && rapid.Bool().Draw(t, "swap") {
			word = name[:i-1] + name[i:i+1] + name[i-1:i] + name[i+1:]
		}
		if got := Names(word, names); !slices.Contains(got, name) {
			t.Fatalf("%q: %v", word, got)
		}
	})
}

func TestDistanceIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.StringMatching(`[abc]{0,6}`).Draw(t, "a"), rapid.StringMatching(`[abc]{0,6}`).Draw(t, "b")
		d := distance(a, b)
		if d != distance(b, a) || (d == 0) != (a == b) || d > max(len(a), len(b)) || d < max(len(a), len(b))-min(len(a), len(b)) {
			t.Fatalf("distance(%q, %q) = %d", a, b, d)
		}
	})
}

func TestFew(t *testing.T) {
	names := []string{"a", "b", "c", "d"}
	for n, want := range []string{"", "a", "a and b", "a, b and c", "a, b and 2 others"} {
		if got := Few(names[:n], 2); got != want {
			t.Errorf("%d names: %q, not %q", n, got, want)
		}
	}
	if got := strings.Join(names, ""); got != "abcd" {
		t.Errorf("the names are now %s", got)
	}
}

package golden

import "testing"

func TestLike(t *testing.T) {
	for _, c := range []struct {
		want, got string
		like      bool
	}{
		{"", "", true},
		{"head: 5 B ... (4 KiB)\n", "head: 5 B by any name (4 KiB)\n", true},
		{"head: 5 B ...\n", "head: 5 B\n", false},
		{"head: 5 B...\n", "head: 15 B\n", false},
		{"a ...\n", "a b\nc\n", false},
		{"a\nb\n", "a\n", false},
		{"a\nb", "a\nb\n", false},
		{"... [1]\n", "x [1]\n", true},
		{"[1]\n", "1\n", false},
	} {
		if diff := Like(c.want, c.got); (diff == "") != c.like {
			t.Errorf("%q, %q: %q", c.want, c.got, diff)
		}
	}
}

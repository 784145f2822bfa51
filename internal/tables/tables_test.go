package tables

import (
	"encoding/csv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/jedib0t/go-pretty/v6/text"
	"pgregory.net/rapid"
)

func sample() *Table {
	t := &Table{Columns: []Column{
		{Head: "T#", Key: "id", Kind: Right}, {Head: "tensor", Key: "name", Kind: Name}, {Head: "size", Key: "size_bytes", Kind: Bytes}, {Head: "first", Key: "first_op", Kind: Number}, {Head: "", Key: "", Kind: Text},
	}}
	t.Add("0:1", "model/conv2d/Relu;very/long/name/of/a/fused/tensor", int64(36864), 1, "")
	t.Add("0:12", "comma, \"quote\" | pipe", int64(1024), 22, "<- peak")
	t.Add("", "2 others", int64(96), "", "").Summary = true
	return t
}

func TestText(t *testing.T) {
	const want = `  T#  tensor                                              size (B)    KiB  first
 0:1  model/conv2d/Relu;very/long/name/of/a/fused/tensor    36,864  36.00      1
0:12  comma, "quote" | pipe                                  1,024   1.00     22  <- peak
      2 others                                                  96   0.09
`
	if diff := cmp.Diff(want, sample().Text(Layout{})); diff != "" {
		t.Error(diff)
	}
}

func TestTextFitsTheWidth(t *testing.T) {
	got := sample().Text(Layout{Width: 60})
	for _, line := range strings.Split(got, "\n") {
		if text.StringWidth(line) > 60 {
			t.Errorf("too wide: %q", line)
		}
	}
	if !strings.Contains(got, "…") || !strings.Contains(got, "36,864      1") {
		t.Errorf("want a name cut and numbers whole:\n%s", got)
	}
}

func TestTextLeavesColumnsOut(t *testing.T) {
	table := &Table{Columns: []Column{{Head: "a", Key: "a", Kind: Number}, {Head: "", Key: "machine", Kind: Number}, {Head: "name", Key: "name", Kind: Name}}}
	table.Add(1, 2, "")
	if got, want := table.Text(Layout{}), "a\n1\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	data, err := table.CSV()
	if want := "a,machine,name\n1,2,\n"; err != nil || string(data) != want {
		t.Errorf("got %q, %v, want %q", data, err, want)
	}
}

// Where the width is too small, scales go first, then columns by rank, with a word about it.
func TestTextLeavesColumnsOutByRank(t *testing.T) {
	table := &Table{Columns: []Column{
		{Head: "step"}, {Head: "head", Kind: Bytes}, {Head: "operators", Kind: Number, Rank: 1}, {Head: "file", Kind: Bytes, Rank: 2},
	}}
	table.Add("as it is", int64(4816896), 31, int64(12577088))
	for _, c := range []struct {
		width int
		want  string
	}{
		{60, "step       head (B)   MiB  operators    file (B)    MiB\nas it is  4,816,896  4.59         31  12,577,088  11.99\n"},
		{45, "step       head (B)  operators    file (B)\nas it is  4,816,896         31  12,577,088\n"},
		{30, "step       head (B)  operators\nas it is  4,816,896         31\n(1 column is left out at this\n width; --wide or --json has\n it)\n"},
		{20, "step       head (B)\nas it is  4,816,896\n(2 columns are left\n out at this width;\n --wide or --json\n has them)\n"},
	} {
		if diff := cmp.Diff(c.want, table.Text(Layout{Width: c.width})); diff != "" {
			t.Errorf("width %d (-want +got):\n%s", c.width, diff)
		}
	}
}

func TestWrap(t *testing.T) {
	const s = "another one peaks at 3,424,512 B (3.27 MiB), 33.3 % less, at Op# 0:7 CONV_2D"
	const want = "another one\n  peaks at\n  3,424,512 B\n  (3.27 MiB), 33.3 %\n  less, at Op# 0:7\n  CONV_2D"
	if got := Wrap(s, 20, 6, 2); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := Wrap(s, 0, 6, 2); got != s {
		t.Errorf("width 0: %q", got)
	}
	const painted = "\x1b[31mFAIL\x1b[0m one two"
	if got, want := Wrap(painted, 8, 0, 0), "\x1b[31mFAIL\x1b[0m one\ntwo"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTextPlain(t *testing.T) {
	got := sample().Text(Layout{Plain: true})
	if !strings.Contains(got, "36864") || strings.Contains(got, "KiB") || strings.Contains(got, "36,864") {
		t.Error(got)
	}
}

func TestCSVReadsBack(t *testing.T) {
	data, err := sample().CSV()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"id", "name", "size_bytes", "first_op"},
		{"0:1", "model/conv2d/Relu;very/long/name/of/a/fused/tensor", "36864", "1"},
		{"0:12", "comma, \"quote\" | pipe", "1024", "22"},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
}

func TestMarkdown(t *testing.T) {
	got := sample().Markdown(Layout{})
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if len(lines) != 4 || strings.Contains(got, "others") {
		t.Fatalf("%d lines:\n%s", len(lines), got)
	}
	if !strings.Contains(lines[3], `comma, "quote" \| pipe`) {
		t.Errorf("the pipe is not escaped: %s", lines[3])
	}
}

func TestElide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Printable(rapid.String().Draw(t, "s"))
		width := rapid.IntRange(1, 40).Draw(t, "width")
		got := Elide(s, width)
		if text.StringWidth(got) > width {
			t.Fatalf("Elide(%q, %d) = %q is %d wide", s, width, got, text.StringWidth(got))
		}
		if text.StringWidth(s) <= width && len(s) <= 256 && got != s {
			t.Fatalf("Elide(%q, %d) = %q cuts what fits", s, width, got)
		}
		if !utf8.ValidString(got) {
			t.Fatalf("Elide(%q, %d) = %q breaks a character", s, width, got)
		}
	})
}

// TestElideAll: different names stay different when they are cut, wherever they differ, and equal ones equal. A name
// shows its pieces in order. (Only names that repeat themselves, such as "aaaa" and "aaaaa", may look alike.)
func TestElideAll(t *testing.T) {
	const start, end = "mobilenet_v1-1.0_224/quantised/", "_conv2d;block/3x5_depthwise6.tflite"
	word := rapid.StringOfN(rapid.RuneFrom([]rune("ab0_.é")), 0, 6, -1)
	rapid.Check(t, func(t *rapid.T) {
		from, to := rapid.IntRange(0, len(start)).Draw(t, "from"), rapid.IntRange(0, len(end)).Draw(t, "to")
		var names []string
		for _, middle := range rapid.SliceOfN(word, 1, 8).Draw(t, "middles") {
			names = append(names, start[from:]+middle+end[:to])
		}
		width := rapid.IntRange(minNameWidth, 60).Draw(t, "width")
		shown := ElideAll(names, width)
		for i, s := range shown {
			if text.StringWidth(s) > width {
				t.Fatalf("%q is %d wide, not %d", s, text.StringWidth(s), width)
			}
			rest, pieces := names[i], strings.Split(s, "…")
			for _, piece := range pieces {
				at := strings.Index(rest, piece)
				if at < 0 {
					t.Fatalf("%q shows %q", s, names[i])
				}
				rest = rest[at+len(piece):]
			}
			if !strings.HasPrefix(names[i], pieces[0]) || !strings.HasSuffix(names[i], pieces[len(pieces)-1]) {
				t.Fatalf("%q shows the ends of %q", s, names[i])
			}
			for j := range i {
				if (names[i] == names[j]) != (s == shown[j]) {
					t.Fatalf("%q and %q at %d: %q and %q", names[i], names[j], width, s, shown[j])
				}
			}
		}
	})
}

// However long a name is, and whatever it contains, the result is short, keeps both ends, and takes one
// pass: a quadratic algorithm would not end.
func TestElideLong(t *testing.T) {
	for _, filler := range []string{"x", "é", "名", "\u0301", "\xff", "👩\u200d"} {
		s := "first" + strings.Repeat(filler, 1<<20) + "last"
		for _, width := range []int{-1, 0, 1, 2, 40, 200} {
			got := Elide(s, width)
			if text.StringWidth(got) > max(width, 0) || len(got) > 1024+32*max(width, 0) {
				t.Errorf("Elide(%q..., %d) has %d bytes", s[:10], width, len(got))
			}
			if width >= 40 && (!strings.HasPrefix(got, "first") || !strings.HasSuffix(got, "last") || !strings.Contains(got, "…")) {
				t.Errorf("Elide(%q..., %d) = %q", s[:10], width, got)
			}
		}
	}
}

func TestTextOfLongNames(t *testing.T) {
	table := &Table{Columns: []Column{{Head: "operator", Key: "name", Kind: Name}, {Head: "size", Key: "size_bytes", Kind: Bytes}}}
	for i := range 20 {
		table.Add(strings.Repeat("名x", 1<<18), int64(i))
	}
	for _, line := range strings.Split(table.Text(Layout{Width: 80}), "\n") {
		if text.StringWidth(line) > 80 {
			t.Errorf("too wide: %.100q", line)
		}
	}
}

func TestPrintable(t *testing.T) {
	for s, want := range map[string]string{
		"conv/Relu":       "conv/Relu",
		"é名":              "é名",
		"a\x1b[2Jb":       `a\x1b[2Jb`,
		"a\nb\x00":        `a\nb\x00`,
		"\xff":            `\xff`,
		"right\u202eleft": `right\u202eleft`,
	} {
		if got := Printable(s); got != want {
			t.Errorf("Printable(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestTop(t *testing.T) {
	top, rest := Top([]int64{5, 9, 5, 1, 9}, 3)
	if diff := cmp.Diff([][]int{{1, 4, 0}, {2, 3}}, [][]int{top, rest}); diff != "" {
		t.Error(diff)
	}
	if top, rest = Top([]int64{1}, 3); len(top) != 1 || len(rest) != 0 {
		t.Error(top, rest)
	}
}

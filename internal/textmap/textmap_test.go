package textmap

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/memorymap"
	"github.com/tflarena/tflarena/internal/terminal"
	"github.com/tflarena/tflarena/lifetime"
)

// sample is a plan of three tensors, of which the last is small.
func sample() memorymap.Map {
	return memorymap.Map{
		Records: []lifetime.Record{
			{ID: "0:0", First: 0, Last: 1, Size: 4096}, {ID: "0:1", First: 1, Last: 3, Size: 2048}, {ID: "0:2", First: 3, Last: 3, Size: 16},
		},
		Offsets: []int64{0, 4096, 0}, Roles: []lifetime.Role{"input", "activation", "output"}, Total: 6144,
	}
}

// Without colours, letters are the roles.
func TestText(t *testing.T) {
	lines := strings.Split(Text(sample(), axis+1+24, terminal.NewPalette(false)), "\n")
	got := strings.Join([]string{lines[0], lines[rows-2], lines[rows-1], lines[rows], lines[rows+1], lines[rows+2], lines[rows+3]}, "\n")
	want := `    6.0 KiB |      ==================
            |IIIIIIIIIIII
            |IIIIIIIIIIII      OOOOOO
        0 B +------------------------
                      ^ peak at 1
             0                      3
             I model input   O model output   #=+ activation`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Addresses are right however large the total is.
func TestLargeAddresses(t *testing.T) {
	m := memorymap.Map{Records: []lifetime.Record{{Size: 1 << 60}}, Offsets: []int64{0}, Roles: []lifetime.Role{"input"}, Total: 1 << 60}
	lines := strings.Split(Text(m, 80, terminal.NewPalette(false)), "\n")
	for i, want := range map[int]string{0: "1,048,576.0 TiB |", 5: "786,432.0 TiB |", 10: "524,288.0 TiB |", rows: "0 B +"} {
		if !strings.HasPrefix(strings.TrimSpace(lines[i]), want) {
			t.Errorf("line %d: %q", i, lines[i])
		}
	}
}

var escapes = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// With colours, each line ends as it began, and has the same width.
func TestColours(t *testing.T) {
	text := Text(sample(), 80, terminal.NewPalette(true))
	if !strings.Contains(text, "\x1b[38;5;79;48;5;79m▀") || !strings.Contains(text, "\x1b[38;5;79m█\x1b[0m model input") {
		t.Errorf("%q", text)
	}
	for line := range strings.Lines(text) {
		if strings.Count(line, "\x1b[0m")*2 != strings.Count(line, "\x1b[") {
			t.Errorf("a colour is not ended: %q", line)
		}
	}
}

// The map of TensorFlow Lite Micro: buffers by their numbers, addresses from left to right, bytes used
// by two buffers at once, and KiB rounded up.
func TestASCII(t *testing.T) {
	m := sample()
	m.Offsets[1] = 2048
	dots := func(n int) string { return strings.Repeat(".", n) }
	want := "0 (id=0): size=4096, offset=0, first_used=0 last_used=1\n" +
		"1 (id=1): size=2048, offset=2048, first_used=1 last_used=3\n" +
		"2 (id=2): size=16, offset=0, first_used=3 last_used=3\n" +
		" 0: " + strings.Repeat("0", 80) + " (4k)\n" +
		" 1: " + strings.Repeat("0", 40) + strings.Repeat("!", 40) + " (6k)\n" +
		" 2: " + dots(40) + strings.Repeat("1", 40) + " (2k)\n" +
		" 3: " + dots(40) + strings.Repeat("1", 40) + " (3k)\n"
	if diff := cmp.Diff(want, ASCII(m)); diff != "" {
		t.Error(diff)
	}
	if microSign(61) != 'Z' || microSign(62) != '*' || microSign(10) != 'a' || microSign(36) != 'A' {
		t.Error("signs")
	}
}

// Any plan has a map of the asked width, without colours and with, in which every record with bytes
// can be seen or lies below another one.
func TestAnyMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m memorymap.Map
		for range rapid.IntRange(0, 20).Draw(t, "records") {
			first := rapid.IntRange(-1, 200).Draw(t, "first")
			r := lifetime.Record{First: first, Last: first + rapid.IntRange(0, 50).Draw(t, "length"), Size: rapid.Int64Range(0, 1<<40).Draw(t, "size")}
			m.Records, m.Offsets = append(m.Records, r), append(m.Offsets, m.Total)
			m.Roles = append(m.Roles, rapid.SampledFrom([]lifetime.Role{"input", "output", "activation", "scratch", "variable", "constant"}).Draw(t, "role"))
			m.Total += r.Size
		}
		width := rapid.IntRange(40, 200).Draw(t, "width")
		for _, colour := range []bool{false, true} {
			lines := strings.Split(Text(m, width, terminal.NewPalette(colour)), "\n")
			for _, line := range lines[:rows+1] {
				if n := len([]rune(escapes.ReplaceAllString(line, ""))); n > width {
					t.Fatalf("%d characters of %d: %q", n, width, line)
				}
			}
		}
		for line := range strings.Lines(ASCII(m)) {
			if i := strings.Index(line, ": "); !strings.Contains(line, "(id=") && len(line[i+2:strings.LastIndex(line, " (")]) != microWidth {
				t.Fatalf("%q", line)
			}
		}
	})
}

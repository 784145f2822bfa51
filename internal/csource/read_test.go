package csource

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestArraysReadBack: an array is read as it was written, however its elements and the text around it are.
func TestArraysReadBack(t *testing.T) {
	styles := []func(b byte) string{
		func(b byte) string { return fmt.Sprintf("0x%02x", b) }, func(b byte) string { return fmt.Sprintf("0X%XU", b) }, func(b byte) string { return fmt.Sprint(b) },
		func(b byte) string { return fmt.Sprintf("0%o", b) }, func(b byte) string { return fmt.Sprint(int8(b)) }, func(b byte) string { return fmt.Sprintf("0b%b", b) },
		func(b byte) string { return fmt.Sprintf(`'\x%02x'`, b) }, func(b byte) string { return fmt.Sprintf(`'\%o'`, b) }, func(b byte) string { return fmt.Sprintf("/* } */ %d // };", b) + "\n" },
		func(b byte) string {
			if b < ' ' || b > '~' || b == '\'' || b == '\\' {
				return fmt.Sprintf(" %d ", b)
			}
			return "'" + string(rune(b)) + "'"
		},
	}
	frames := []string{
		"unsigned char NAME[] = {\n  BYTES\n};\nunsigned int NAME_len = 3;\n", "alignas(16) const unsigned char NAME[] = {BYTES};", "extern const char NAME[];\nconst uint8_t NAME[N] __attribute__((aligned(4))) = { BYTES, };",
		"#include \"x.h\"\n#define A {1,2}\n#define B \\\n{3}\nnamespace a { namespace { constexpr std::array<uint8_t, 3> NAME = {BYTES}; } }", "static const unsigned char NAME[]{BYTES};",
		"// unsigned char other[] = {1};\n/* unsigned char other[] = {1}; */ const char* text = \"x[] = {1,2}\"; DATA_ALIGN unsigned char const NAME [ 2 * ( N + 1 ) ] ATTRIBUTE = {BYTES};",
		"const char* names[] = {\"a\", \"b}\"}; const float f[] = {1.5, 2}; unsigned char NAME[] = {BYTES}; int big[2][2] = {{1000, 2}, {3, 4}};",
	}
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOf(rapid.Byte()).Draw(t, "data")
		var elements []string
		for _, b := range data {
			elements = append(elements, rapid.SampledFrom(styles).Draw(t, "style")(b))
		}
		source := strings.NewReplacer("NAME", "g_model", "BYTES", strings.Join(elements, ", ")).Replace(rapid.SampledFrom(frames).Draw(t, "frame"))
		if len(data) == 0 {
			source = strings.ReplaceAll(source, " , }", "}")
			source = strings.ReplaceAll(source, "{ ,", "{")
		}
		list, _ := Arrays([]byte(source))
		if len(list) != 1 || list[0].Name != "g_model" || !bytes.Equal(list[0].Data, data) {
			t.Fatalf("%s:\n%+v, not %v", source, list, data)
		}
	})
}

// TestArraysOfOthers: arrays of other elements are omitted, and the first of them is named.
func TestArraysOfOthers(t *testing.T) {
	for source, want := range map[string]string{
		"int x[] = {1, 256};":         `array x: element 1 is no byte: "256"`,
		"char x[] = {1, SIZE};":       `array x: element 1 is no byte: "SIZE"`,
		"char x[] = {1 2};":           `array x: element 1 is no byte: "2"`,
		"char x[] = {1,, 2};":         `array x: element 1 is no byte: ","`,
		"char x[] = {1, {2}};":        `array x: element 1 is no byte: "{"`,
		"char x[] = {1,":              "array x: the file ends within it",
		"char x[] = {'ab'};":          `array x: element 0 is no byte: "ab"`,
		"char x[] = {'":               "array x: the file ends within it",
		"char x[] = {-129, 1};":       `array x: element 0 is no byte: "-129"`,
		"char x[] = {0x1_0};":         `array x: element 0 is no byte: "0x1_0"`,
		"float x[] = {1.5};":          `array x: element 0 is no byte: "1.5"`,
		"char* x[] = {\"a};\"}; /*":   `array x: element 0 is no byte: "a};"`,
		"void f(char x[]) { int y; }": "",
		"/*/ char x[] = {1};":         "",
		"\\":                          "",
		"#\\":                         "",
	} {
		list, err := Arrays([]byte(source))
		if got := fmt.Sprint(err); len(list) > 0 || want == "" && err != nil || want != "" && got != want {
			t.Errorf("%s: %v, %s", source, list, got)
		}
	}
}

// FuzzArrays reads anything.
func FuzzArrays(f *testing.F) {
	for _, seed := range []string{"unsigned char a[] = {0x1c, 'a', 017, -1};", "/* */ #x \\\n \"\\\"\" '\\'' x[1][2]{3,}", "x = {{1}, {2}}; y[] = {0b1, 1'0}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		list, _ := Arrays(source)
		total := 0
		for _, a := range list {
			total += len(a.Data)
		}
		if total > len(source) {
			t.Errorf("%d bytes of %d", total, len(source))
		}
	})
}

package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/mutate"
	"github.com/tflarena/tflarena/schema"
)

// volatile matches what is not the same from run to run.
var volatile = regexp.MustCompile(`"(elapsed_ns|search_nodes|file_bytes)": [0-9]+,?`)

// hexed returns a model as xxd -i writes it.
func hexed(name string, data []byte) string {
	var b strings.Builder
	fmt.Fprintf(&b, "unsigned char %s[] = {", name)
	for i, c := range data {
		if i%12 == 0 {
			b.WriteString("\n ")
		}
		fmt.Fprintf(&b, " 0x%s", hex.EncodeToString([]byte{c}))
		if i+1 < len(data) {
			b.WriteString(",")
		}
	}
	fmt.Fprintf(&b, "\n};\nunsigned int %s_len = %d;\n", name, len(data))
	return b.String()
}

// TestModelsInSources: a model in a source file is the model: of our own arrays, and of those of xxd -i, as a file
// or as standard input.
func TestModelsInSources(t *testing.T) {
	dir := t.TempDir()
	data := mutate.Network(schema.TensorTypeINT8)
	model := write(t, filepath.Join(dir, "model.tflite"), data)
	array := filepath.Join(dir, "array.cc")
	if got := execute(noTerminal(), nil, "analyze", model, "-o", "cc="+array); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	dumped := hexed("model_tflite", data)
	for _, path := range []string{array, write(t, filepath.Join(dir, "xxd.h"), []byte(dumped)), write(t, filepath.Join(dir, "listing.txt"), []byte(dumped))} {
		for _, line := range []string{
			"analyze INPUT --json", "plan INPUT -s greedy-by-size -o csv=-", "check INPUT --max-arena 1K --json", "verify INPUT --json", "diff INPUT INPUT --json", "rewrite INPUT --pin all --allow-faults -o -",
			"fit INPUT --head 60K --allow-faults -o -", "report INPUT -q -o json=-", "stream INPUT --budget 1G --bandwidth 1M --macs-per-second 1e9 -o csv=-", "analyze INPUT -o resolver=-",
		} {
			run := func(input string) outcome {
				got := execute(noTerminal(), nil, strings.Fields(strings.ReplaceAll(line, "INPUT", input))...)
				got.stdout = volatile.ReplaceAllString(strings.ReplaceAll(strings.ReplaceAll(got.stdout, input, "INPUT"), filepath.Base(input), "INPUT"), "")
				return got
			}
			want, got := run(model), run(path)
			if strings.Contains(line, "resolver") { // which is named after the file
				want.stdout, got.stdout = fmt.Sprint(strings.Count(want.stdout, ".Add")), fmt.Sprint(strings.Count(got.stdout, ".Add"))
			}
			if got.code != want.code || got.stdout != want.stdout || got.code == exitInvalid {
				t.Errorf("%s: %s: exit code %d, not %d: %s", filepath.Base(path), line, got.code, want.code, got.stderr)
			}
		}
		source := read(t, path)
		if got := execute(noTerminal(), source, "rewrite", "-", "-o", "-", "--remove", "--allow-faults"); got.code != exitOK || !bytes.Equal([]byte(got.stdout), data) {
			t.Errorf("%s: %+v", path, got)
		}
	}
	for _, c := range []struct {
		source, want string
		code         int
	}{
		{dumped + hexed("other", data), "model_tflite and other", exitInvalid},
		{"int main(void) { return 0; }", "no array", exitInvalid},
		{"const unsigned char a[] = {1, 2}, b[] = {3};", "a and b", exitInvalid},
		{"const unsigned char a[] = {0x1c, MORE};", `array a: element 1 .*"MORE"`, exitInvalid},
		{dumped[:len(dumped)/2], "array model_tflite: ", exitInvalid},
		{"unsigned char small[] = {1, 2};\n" + dumped, "", exitOK},
	} {
		path := write(t, filepath.Join(dir, "case.c"), []byte(c.source))
		got := execute(noTerminal(), nil, "analyze", path)
		if got.code != c.code || c.want != "" && !regexp.MustCompile(`case\.c: .*`+c.want).MatchString(got.stderr) {
			t.Errorf("exit code %d: %s, not %s", got.code, got.stderr, c.want)
		}
	}
	before := read(t, array)
	if got := execute(noTerminal(), nil, "rewrite", array, "--in-place", "--pin", "all", "--allow-faults"); got.code != exitUsage || !bytes.Equal(read(t, array), before) {
		t.Errorf("%+v", got)
	}
}

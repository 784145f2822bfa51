package main

import (
	"strings"
	"testing"
)

// TestUnmodelledNext: where the kernels of a target are not modelled, the proposed commands name the reference kernels,
// whose figures the report has, and succeed, whether a flag or the project file names the target.
func TestUnmodelledNext(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "net.tflite", small()["branch"])
	for _, flags := range [][]string{{"--target", "hifi-4"}, nil} {
		if flags == nil {
			write(t, configFile, []byte("target = \"hifi-4\"\n"))
		}
		for _, line := range []string{"analyze net.tflite", "fit net.tflite", "rewrite net.tflite -o planned.tflite"} {
			got := execute(noTerminal(), nil, append(strings.Fields(line), flags...)...)
			next := nextLine.FindStringSubmatch(got.stdout)
			if next == nil || !strings.Contains(next[1], "--kernels reference") {
				t.Errorf("%s %v:\n%s%s", line, flags, got.stdout, got.stderr)
				continue
			}
			if again := execute(noTerminal(), nil, strings.Fields(next[1])[1:]...); again.code != exitOK {
				t.Errorf("%s: exit code %d: %s%s", next[1], again.code, again.stdout, again.stderr)
			}
		}
	}
}

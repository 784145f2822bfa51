package main

import (
	"os"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// maxSeed is the size in bytes of the largest corpus file among the seeds: larger
// ones only make the fuzzer slow.
const maxSeed = 4096

// seed adds the little models and the small ones of the corpus.
func seed(f *testing.F) {
	for _, data := range small() {
		f.Add(data)
	}
	if corpus.Find() == "" {
		return
	}
	for _, file := range corpus.Models(f) {
		if info, err := os.Stat(file.Path); err != nil || info.Size() > maxSeed {
			continue
		}
		data, err := os.ReadFile(file.Path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
}

// FuzzAnalyze hands anything to the command "analyze" under the rules of every
// runtime: it is analysed or refused, and never anything else.
func FuzzAnalyze(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, runtime := range rules.Names() {
			got := execute(noTerminal(), data, "analyze", "-", "--runtime", runtime)
			if got.code != exitOK && got.code != exitInvalid {
				t.Fatalf("%s: exit code %d: %s", runtime, got.code, got.stderr)
			}
			if (got.stdout == "") != (got.code == exitInvalid) {
				t.Fatalf("%s: exit code %d with %d bytes of output", runtime, got.code, len(got.stdout))
			}
		}
	})
}

// FuzzRewrite hands anything to the commands that judge and make memory plans: there
// is a model as output that verify passes, or none at all.
func FuzzRewrite(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		before := execute(noTerminal(), data, "verify", "-")
		checked := execute(noTerminal(), data, "check", "-", "--max-arena", "1KiB")
		for _, code := range []int{before.code, checked.code} {
			if code != exitOK && code != exitInvalid && code != exitCheck {
				t.Fatalf("exit code %d: %s%s", code, before.stderr, checked.stderr)
			}
		}
		for _, flags := range [][]string{{"--pin", "all"}, {"--pin", "all", "--force"}, {"--remove"}} {
			got := execute(noTerminal(), data, append([]string{"rewrite", "-", "-o", "-", "--scratch", "reference", "--allow-faults"}, flags...)...)
			switch {
			case got.code != exitOK && got.stdout != "":
				t.Fatalf("%v: exit code %d with %d bytes of output", flags, got.code, len(got.stdout))
			case got.code == exitInvalid, got.code == exitFailure && strings.Contains(got.stderr, "refused: "):
			case got.code != exitOK:
				t.Fatalf("%v: exit code %d: %s", flags, got.code, got.stderr)
			case got.stdout != string(data):
				if after := execute(noTerminal(), []byte(got.stdout), "verify", "-"); after.code != exitOK {
					t.Fatalf("%v: exit code %d: %s", flags, after.code, after.stdout)
				}
			}
		}
	})
}

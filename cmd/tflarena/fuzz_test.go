package main

import (
	"os"
	"testing"

	"github.com/tflarena/tflarena/internal/corpus"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// maxSeed is the size in bytes of the largest corpus file among the seeds: larger
// ones only make the fuzzer slow.
const maxSeed = 4096

// FuzzAnalyze hands anything to the command "analyze" under the rules of every
// runtime: it is analysed or refused, and never anything else.
func FuzzAnalyze(f *testing.F) {
	for _, data := range small() {
		f.Add(data)
	}
	if corpus.Find() != "" {
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

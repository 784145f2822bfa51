package main

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/planner"
	"github.com/tflarena/tflarena/internal/testkit/golden"
)

// The application shows what the page of report has, and saves what rewrite and fit write, byte for
// byte.
func TestApplication(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, settings := range map[string]planner.Request{
		"branch": {Kernels: "reference", Alias: "off", Arena: "80K"},
		"stack":  {Kernels: "cmsis-nn-dsp", Alias: "elementwise", Arena: "50K"},
	} {
		var flags []string
		if settings.Kernels != reference {
			flags = append(flags, "--kernels", settings.Kernels, "--alias", settings.Alias)
		}
		data := small()[name]
		write(t, "m.tflite", data)
		p := planner.New(func(planner.Reply) {})
		ask := func(do string, reorder bool, data []byte) planner.Reply {
			t.Helper()
			settings.Do, settings.Name, settings.Reorder = do, "m.tflite", reorder
			text, err := json.Marshal(settings)
			if err != nil {
				t.Fatal(err)
			}
			reply := p.Answer(t.Context(), string(text), data)
			if reply.Kind == "failed" {
				t.Fatalf("%s %s: %s", name, text, reply.Message)
			}
			return reply
		}
		command := func(words ...string) []byte {
			t.Helper()
			got := execute(noTerminal(), nil, append(append(words, "m.tflite", "-q"), flags...)...)
			if got.code != exitOK && got.code != exitCheck {
				t.Fatalf("%s %v: exit %d: %s", name, words, got.code, got.stderr)
			}
			file, err := os.ReadFile("out")
			if err != nil {
				return nil
			}
			if err := os.Remove("out"); err != nil {
				t.Fatal(err)
			}
			return file
		}
		same := func(what string, want, got []byte) {
			t.Helper()
			if !bytes.Equal(want, got) {
				t.Errorf("%s: %s differs (-command +application):\n%.2000s", name, what, cmp.Diff(string(want), string(got)))
			}
		}
		same("report", compact(t, command("report", "-o", "json=out")), ask("open", false, data).Data)
		same("rewrite", command("rewrite", "-o", "tflite=out"), ask("rewrite", false, nil).Data)
		same("rewrite --reorder", command("rewrite", "--reorder", "-o", "tflite=out"), ask("rewrite", true, nil).Data)
		fitted := ask("fit", false, nil)
		same("fit", command("fit", "--arena", settings.Arena, "-o", "tflite=out"), fitted.Data)
		same("report --arena", compact(t, command("report", "--arena", settings.Arena, "-o", "json=out")), fitted.Report)
		if name == "stack" && !*golden.Audit {
			continue // its least arena takes a long search
		}
		settings.Arena = ""
		same("fit --least", command("fit", "--least", "-o", "tflite=out"), ask("fit", false, nil).Data)
	}
}

// compact returns JSON without spaces between its words.
func compact(t *testing.T, document []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, document); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

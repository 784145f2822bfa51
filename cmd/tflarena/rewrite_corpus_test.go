package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
)

// Every model of the corpus that opens takes a plan of all its tensors, which verify
// passes, with which the head is the one promised and never larger than the runtime's
// own, and which once more changes nothing.
func TestCorpusRewrite(t *testing.T) {
	done := 0
	for _, f := range corpus.Accepted(t) {
		data, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		out, r := rewritten(t, f.Name, data, "--pin", "all", "--force", "--scratch", "none")
		if r.After.Head > r.OnlineBytes || r.After.Head < r.LowerBoundBytes {
			t.Errorf("%s: head %d, without a plan %d, bound %d", f.Name, r.After.Head, r.OnlineBytes, r.LowerBoundBytes)
		}
		checkVerified(t, f.Name, out, r)
		if again, _ := rewritten(t, f.Name, out, "--pin", "all", "--force", "--scratch", "none"); string(again) != string(out) {
			t.Errorf("%s: the same plan again changes the file", f.Name)
		}
		if _, peak := rewritten(t, f.Name, data, "--force", "--scratch", "none"); peak.After.Head != r.After.Head || peak.TensorsFixed > r.TensorsFixed {
			t.Errorf("%s: head %d with %d tensors fixed, all of them %d with %d", f.Name, peak.After.Head, peak.TensorsFixed, r.After.Head, r.TensorsFixed)
		}
		done++
	}
	if done < 100 {
		t.Errorf("only %d files", done)
	}
}

// rewritten returns the new file and the report.
func rewritten(t *testing.T, name string, data []byte, flags ...string) ([]byte, *results.Rewrite) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "out.tflite")
	got := execute(noTerminal(), data, append([]string{"rewrite", "--allow-faults", "-", "-o", path, "--json"}, flags...)...)
	if got.code != exitOK {
		t.Fatalf("%s: exit %d: %s", name, got.code, got.stderr)
	}
	var r results.Rewrite
	if err := readOnly([]byte(got.stdout), &r); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	out, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return out, &r
}

func checkVerified(t *testing.T, name string, data []byte, r *results.Rewrite) {
	t.Helper()
	got := execute(noTerminal(), data, "verify", "-", "--json", "--scratch", "none")
	var v results.Verification
	if err := readOnly([]byte(got.stdout), &v); err != nil {
		t.Fatalf("%s: exit %d: %v: %s", name, got.code, err, got.stderr)
	}
	plans := 0
	if r.Action == results.Embedded {
		plans = 1
	}
	if got.code != exitOK || !v.OK || v.Plans != plans || v.Head == nil || *v.Head != r.After.Head || v.TensorsFixed != plans*r.TensorsFixed {
		t.Errorf("%s: exit %d, %s: %d plans, head %d, promised %d, fixed %d of %d", name, got.code, r.Action, v.Plans, v.Head, r.After.Head, v.TensorsFixed, r.TensorsFixed)
	}
}

// The plan of another tool stays unless it is forced out, and then one is left.
func TestCorpusVela(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t), "models", "micro", "person_detect_vela.tflite"))
	if err != nil {
		t.Fatal(err)
	}
	out, r := rewritten(t, "vela", data)
	if r.Action != results.Kept || string(out) != string(data) {
		t.Errorf("%s: %s", r.Action, r.Reason)
	}
	out, r = rewritten(t, "vela", data, "--force", "--scratch", "none")
	if r.Action != results.Embedded || len(out) != len(data) {
		t.Errorf("forced: %s: %s", r.Action, r.Reason)
	}
	checkVerified(t, "vela", out, r)
}

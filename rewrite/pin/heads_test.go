package pin_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/tflite"
)

// The heads that TensorFlow Lite Micro reported, without a plan and with ours, are
// those that following the plan gives. The runtime itself is not needed for that.
func TestReportedHeads(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "runtimes.json"))
	if err != nil {
		t.Fatal(err)
	}
	var reported []outcome
	if err := json.Unmarshal(data, &reported); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, r := range reported {
		if r.Own == 0 {
			continue
		}
		m, err := tflite.Open(filepath.Join(corpus.Dir(t), "models", filepath.FromSlash(r.Model)))
		if err != nil {
			t.Fatal(err)
		}
		choice, err := choose(t, m, pin.Peak)
		if err != nil {
			t.Fatal(err)
		}
		own, planned := follow(t, m, nil), follow(t, m, choice.Offsets)
		if own != r.Own || planned != r.Planned || choice.Bound != r.Bound || choice.Pinned != r.Pinned {
			t.Errorf("%s: head %d, with a plan %d, bound %d, %d pinned; reported %+v", r.Model, own, planned, choice.Bound, choice.Pinned, r)
		}
		compared++
	}
	if compared < 50 {
		t.Errorf("only %d models", compared)
	}
}

func follow(t *testing.T, m *tflite.Model, offsets []int32) int64 {
	t.Helper()
	o, err := pin.Follow(t.Context(), rules.Micro(), m, offsets, oracle.Device(t).Requests(m))
	if err != nil {
		t.Fatal(err)
	}
	return o.Head
}

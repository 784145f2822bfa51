package slim_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/tflite"
)

// TestCorpus slims every model of the corpus: the laws hold, TensorFlow Lite Micro requires no
// more memory, and the sizes are as recorded.
func TestCorpus(t *testing.T) {
	var table, refusals strings.Builder
	var savings []float64
	for _, f := range corpus.Accepted(t) {
		m := sample.OpenFile(t, f.Path)
		r, err := check(t, m, rewrite.Options{})
		if err != nil {
			fmt.Fprintf(&refusals, "%s: %v\n", f.Name, err)
			continue
		}
		compareArenas(t, f.Name, m, modelfile.Parse(t, r.Data))
		sample.CheckZip(t, m.Data, r.Data)
		saved := 100 * float64(r.Before-r.After) / float64(r.Before)
		savings = append(savings, saved)
		fmt.Fprintf(&table, "%s: %d -> %d B, %.1f %% saved", f.Name, r.Before, r.After, saved)
		for _, s := range r.Savings {
			fmt.Fprintf(&table, ", %s %d", s.Kind, s.Bytes)
		}
		table.WriteByte('\n')
	}
	slices.Sort(savings)
	fmt.Fprintf(&table, "median: %.1f %% saved\n", savings[len(savings)/2])
	golden.File(t, filepath.Join("testdata", "sizes.golden"), []byte(table.String()+refusals.String()))
}

// devices are the devices whose required arenas are compared.
var devices = []string{"cmsis-nn-mve", "reference"}

// compareArenas fails if the new model requires a larger arena.
func compareArenas(t *testing.T, name string, before, after *tflite.Model) {
	t.Helper()
	for _, kernels := range devices {
		device, err := rules.UsualDevice(kernels)
		if err != nil {
			t.Fatal(err)
		}
		x, errX := required(before, device)
		y, errY := required(after, device)
		if y > x || (errX == nil) != (errY == nil) {
			t.Errorf("%s: %s requires %d B, %v; before %d B, %v", name, kernels, y, errY, x, errX)
		}
	}
}

// required returns the required arena of a model with its embedded plan, in bytes.
func required(m *tflite.Model, device rules.Device) (int64, error) {
	var offsets []int32
	if plans, err := rewrite.ReadPlans(m); err == nil && len(plans) > 0 {
		offsets = plans[len(plans)-1].Offsets
	}
	o, err := pin.Follow(context.Background(), device.Rules(), m, offsets, device.Requests(m))
	if err != nil {
		return 0, err
	}
	return o.Arena(device).Required, nil
}

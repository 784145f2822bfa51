package restore_test

import (
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/restore"
	"github.com/tflarena/tflarena/tflite"
)

// recordOf returns the buffer of the record of a model.
func recordOf(t testing.TB, m *tflite.Model) *tflite.Buffer {
	t.Helper()
	for _, md := range m.Metadata {
		if md.Name == blocks.Name {
			return &m.Buffers[md.Buffer]
		}
	}
	t.Fatal("there is no record")
	return nil
}

// damaged returns a model with some bytes of the record changed or moved.
func damaged(t testing.TB, m *tflite.Model, r *rand.Rand) *tflite.Model {
	t.Helper()
	data, b := slices.Clone(m.Data), recordOf(t, m)
	record := data[b.Offset : b.Offset+int64(len(b.Data))]
	for range 1 + r.IntN(3) {
		i := r.IntN(len(record))
		switch r.IntN(4) {
		case 0:
			record[i] = byte(r.IntN(256))
		case 1:
			record[i]++
		case 2:
			record[i]--
		case 3:
			j := r.IntN(len(record))
			record[i], record[j] = record[j], record[i]
		}
	}
	return modelfile.Parse(t, data)
}

// padding matches the padding of an operator. Where SAME and VALID lead to the same size, they are the
// same.
var padding = regexp.MustCompile(`^options of .*\.Padding = `)

// meaning returns the graph of a model without paddings.
func meaning(m *tflite.Model) []string {
	return slices.DeleteFunc(sample.GraphOf(m), padding.MatchString)
}

// TestDamagedRecord: with a damaged record, a model is restored as it was, or not at all.
func TestDamagedRecord(t *testing.T) {
	times := 200
	if testing.Short() {
		times = 100
	}
	r := rand.New(rand.NewPCG(2, 0))
	tried, restored := 0, 0
	small(t, 1<<17, func(m *tflite.Model) {
		cut, want, stages := tiled(t, m, r)
		if cut == nil {
			return
		}
		graph := meaning(want)
		for range times {
			bad := damaged(t, cut, r)
			tried++
			got, err := restore.Model(bad, rewrite.Options{Force: true})
			if err != nil || got == bad {
				continue
			}
			if diff := cmp.Diff(graph, meaning(got)); diff != "" {
				record, _ := blocks.Read(bad)
				t.Errorf("%s %+v, record %+v: (-original +restored)\n%s", m.Name, stages, record, diff)
			}
			restored++
		}
	})
	if tried < 10*times || restored == 0 || restored > tried/2 {
		t.Errorf("%d of %d were restored", restored, tried)
	}
}

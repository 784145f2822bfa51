package transform

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite/provenance"
	"github.com/tflarena/tflarena/tflite"
)

// withRecords returns a model with metadata of each text.
func withRecords(t testing.TB, texts ...string) *tflite.Model {
	m := sample.Chain()
	for _, text := range texts {
		m.Buffers = append(m.Buffers, encode.Buffer{Data: []byte(text)})
		m.Metadata = append(m.Metadata, encode.Metadata{Name: provenance.Name, Buffer: len(m.Buffers)})
	}
	return modelfile.Build(t, m)
}

const goodRecord = `{"version":1,"rules":[{"name":"pad-nothing","operator_count":2}],"kernels":["reference","esp-nn"],"litert_default":true,"litert_reference":true}`

// TestRecordMerged: a record counts the operators of a rule together, and is exact where all rules are.
func TestRecordMerged(t *testing.T) {
	m := withRecords(t, goodRecord)
	data, err := recorded(m, []Applied{{Rule: &padNothing, Operators: make([]Place, 3)}, {Rule: &convToFullyConnected, Operators: make([]Place, 1)}})
	if err != nil {
		t.Fatal(err)
	}
	want := &provenance.Record{
		Version: 1, Rules: []provenance.Rule{{Name: "pad-nothing", Operators: 5}, {Name: "conv-to-fully-connected", Operators: 1}}, Exact: provenance.Exact{Kernels: []string{"reference", "esp-nn"}, LiteRT: true},
	}
	r, err := provenance.Read(withRecords(t, string(data.Data)))
	if want.Entry = 1; err != nil || cmp.Diff(want, r) != "" {
		t.Errorf("%v, %+v", err, r)
	}
}

package app_test

import (
	"bytes"
	"regexp"
	"strconv"
	"testing"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/export"
	"github.com/tflarena/tflarena/alloc/stream/litert"
	streamnet "github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/network"
)

// The rows of the table for firmware refer to the data of the weights, in the order of the network's layers.
func TestWeights(t *testing.T) {
	m := modelfile.Parse(t, network.Convolutions(8, 3))
	o := app.StreamOptions{Budget: 1 << 20, Rates: litert.Rates{Bytes: 1e7, MACs: 1e9}}
	r, err := app.StreamModel(t.Context(), m, "", o)
	if err != nil {
		t.Fatal(err)
	}
	blob, err := r.Weights()
	if err != nil {
		t.Fatal(err)
	}
	var stored [][]byte
	for _, w := range r.Network.Tensors {
		for i := range m.Subgraphs[0].Tensors {
			if w.Kind == streamnet.Weight && m.TensorID(0, i) == w.Name {
				stored = append(stored, m.Buffer(&m.Subgraphs[0].Tensors[i]).Data)
			}
		}
	}
	number := func(text []byte) int {
		n, err := strconv.Atoi(string(text))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	header := export.C(r.Network, []*stream.Plan{r.Plan}, "net")
	rows := regexp.MustCompile(`\{\d+, -?\d+, (\d+), \d+, (\d+)\}`).FindAllSubmatch(header, -1)
	if len(rows) != len(stored) || len(rows) == 0 {
		t.Fatalf("%d rows for %d weights", len(rows), len(stored))
	}
	for i, row := range rows {
		if at, size := number(row[1]), number(row[2]); at%64 != 0 || !bytes.Equal(blob[at:at+size], stored[i]) {
			t.Errorf("row %d: other data at %d", i, at)
		}
	}
	m.Buffers[m.Subgraphs[0].Tensors[m.Subgraphs[0].Operators[0].Inputs[1]].Buffer].Data = nil
	if _, err := r.Weights(); err == nil {
		t.Error("no error for weights outside of the file")
	}
}

package rewrite

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/tflite"
)

// FuzzReorder: an order is written correctly or refused. The result has no forbidden swap of
// operators; the input is not modified.
func FuzzReorder(f *testing.F) {
	for i, data := range append(sample.Seeds(f), encode.Encode(sample.Fork()), sample.Twins()) {
		f.Add(data, uint64(i))
	}
	for i, c := range reorderings() {
		f.Add(encode.Encode(c.model), uint64(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		before := bytes.Clone(data)
		m, err := tflite.Parse(data, "fuzz")
		if err != nil {
			return
		}
		const most = 100 // operators and operands, since pairs are compared
		for s := range m.Subgraphs {
			for _, op := range m.Subgraphs[s].Operators {
				if len(m.Subgraphs[s].Operators)+len(op.Inputs)+len(op.Outputs)+len(op.Intermediates) > most {
					return
				}
			}
		}
		r := rand.New(rand.NewPCG(seed, 0))
		orders, _ := validOrders(m, atRandom(r))
		for s := range orders {
			switch r.IntN(3) {
			case 0:
				orders[s] = r.Perm(len(orders[s]))
			case 1:
				orders[s] = orders[0] // which may be too long or too short
			}
		}
		checkFuzzedOrder(t, m, orders, Options{Force: seed%2 == 1})
		if !bytes.Equal(data, before) {
			t.Fatal("the input was changed")
		}
	})
}

func checkFuzzedOrder(t *testing.T, m *tflite.Model, orders [][]int, o Options) {
	t.Helper()
	r, err := Reorder(m, orders, o)
	if err != nil {
		refused := (*RefusedError)(nil)
		_, invalid := checkOrders(m, orders)
		if invalid == nil && !errors.As(err, &refused) {
			t.Fatal(err)
		}
		return
	}
	for s, order := range inverse(orders) {
		for pair := range precedence(m, s, !o.Force) {
			if order != nil && order[pair[0]] > order[pair[1]] {
				t.Fatalf("operators %d:%d and %d:%d have changed places", s, pair[0], s, pair[1])
			}
		}
	}
	if r.Method == Unchanged {
		if !bytes.Equal(m.Data, r.Data) {
			t.Fatal("unchanged, but it is another file")
		}
		return
	}
	gone, err := Remove(m, o)
	if err != nil {
		t.Fatal(err)
	}
	base := modelfile.Parse(t, gone.Data)
	same, err := Reorder(base, orders, o)
	if err != nil || !bytes.Equal(same.Data, r.Data) {
		t.Fatalf("without plans the result is another: %v", err)
	}
	checkReordered(t, base, orders, same)
	back, err := Reorder(modelfile.Parse(t, r.Data), inverse(orders), Options{Force: true})
	if err != nil || !bytes.Equal(back.Data, gone.Data) {
		t.Fatalf("back: %v", err)
	}
}

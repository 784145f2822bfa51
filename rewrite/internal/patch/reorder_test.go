package patch

import (
	"bytes"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
)

// The audit sees an order that is not the one asked for, and any byte that changed
// elsewhere, used or not.
func TestAuditOrder(t *testing.T) {
	source := sample.Fork()
	source.Tail = make([]byte, 32)
	m := modelfile.Build(t, source)
	vectors := operatorVectors(m)
	orders := [][]int{{1, 0, 2, 3}}
	written, err := Reorder(m, orders)
	if err != nil {
		t.Fatal(err)
	}
	if err := auditOrder(m, written, orders, vectors); err != nil {
		t.Fatal(err)
	}
	for _, other := range [][][]int{{nil}, {{0, 2, 1, 3}}, {{1, 2, 0, 3}}} {
		if auditOrder(m, written, other, vectors) == nil {
			t.Errorf("%v passed", other)
		}
	}
	start := vectors[0] + 4
	for i := range written {
		data := bytes.Clone(written)
		data[i] ^= 1
		if err := auditOrder(m, data, orders, vectors); err == nil && (int64(i) < start || int64(i) >= start+16) {
			t.Errorf("a change at %#x passed", i)
		}
	}
	short := bytes.Clone(written)[:len(written)-1]
	if auditOrder(m, short, orders, vectors) == nil {
		t.Error("a shorter file passed")
	}
}

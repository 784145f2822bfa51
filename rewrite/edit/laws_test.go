package edit

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// checkApplied fails unless r is the file of m, which has no plan, with an edit made: all
// that was there still is, under its old index, and operators are what the edit says. It
// shares no code with the rewriter or with its audit.
func checkApplied(t sample.TB, m *tflite.Model, e *Edit, r *rewrite.Result) {
	t.Helper()
	checkBehind(t, m, r)
	out := modelfile.Parse(t, r.Data)
	old := sample.ContentOf(m, r.Added, len(m.Buffers), nil)
	now := sample.ContentOf(out, 0, len(out.Buffers), nil)
	checkNothingLost(t, m, e, withoutIdle(m, out, e, old), now)
	was, is := byOperator(old, e.Subgraph), byOperator(now, e.Subgraph)
	if len(is) != len(e.Operators) {
		t.Fatalf("%d operators, not %d", len(is), len(e.Operators))
	}
	for i, op := range e.Operators {
		switch op.Kind {
		case Keep:
			if diff := cmp.Diff(was[op.Of], is[i]); diff != "" {
				t.Fatalf("operator %d (-old +new):\n%s", i, diff)
			}
		case Piece, Same, Valid:
			checkPieceContent(t, op, was[op.Of], is[i])
		}
	}
}

// withoutIdle returns the content of the old file with no elements in the tensors that an
// operator used there, but that nothing does in the new one.
func withoutIdle(m, out *tflite.Model, e *Edit, content []string) []string {
	old, now := &m.Subgraphs[e.Subgraph], &out.Subgraphs[e.Subgraph]
	had, has := usedTensors(old), usedTensors(now)
	for _, i := range append(slices.Clone(old.Inputs), old.Outputs...) {
		has[i] = true
	}
	for _, s := range m.Signatures {
		if s.Subgraph == e.Subgraph {
			for _, x := range append(slices.Clone(s.Inputs), s.Outputs...) {
				has[x.Tensor] = true
			}
		}
	}
	gone := goneBuffers(m, out)
	var list []string
	for _, line := range content {
		name, _, _ := strings.Cut(line, " = ")
		var s, t int
		var field string
		if n, _ := fmt.Sscanf(name, "model.Buffers[%d].%s", &t, &field); n == 2 && gone[t] && field == "Data" {
			line = fmt.Sprintf("%s = true 0 %x", name, sha256.Sum256(nil))
		}
		if n, _ := fmt.Sscanf(name, "model.Subgraphs[%d].Tensors[%d].%s", &s, &t, &field); n < 3 || s != e.Subgraph || !had[t] || has[t] {
			list = append(list, line)
			continue
		}
		switch tensor := &old.Tensors[t]; {
		case tensor.Variable || tensor.Constant && !gone[tensor.Buffer]:
		case field == "Shape":
			line = fmt.Sprintf("%s = %v", name, make([]int32, max(len(tensor.Shape), 1)))
		case field == "ShapeSignature":
			line = name + " = []"
		case tensor.Constant && strings.HasPrefix(field, "Quantization"):
			continue
		}
		list = append(list, line)
	}
	return list
}

// usedTensors says which tensors an operator has.
func usedTensors(s *tflite.Subgraph) map[int]bool {
	used := map[int]bool{}
	for i := range s.Operators {
		op := &s.Operators[i]
		for _, t := range append(append(slices.Clone(op.Inputs), op.Outputs...), op.Intermediates...) {
			used[t] = true
		}
	}
	return used
}

// checkPieceContent compares a piece with its parent: it has the tensors of the edit, and
// otherwise only the options may differ.
func checkPieceContent(t sample.TB, op Operator, parent, piece []string) {
	t.Helper()
	for k := range parent {
		name, _, _ := strings.Cut(parent[k], " = ")
		want := parent[k]
		switch {
		case name == ".Inputs":
			want = fmt.Sprintf(".Inputs = %v", op.Inputs)
		case name == ".Outputs":
			want = fmt.Sprintf(".Outputs = %v", op.Outputs)
		case name == ".BuiltinOptions" && op.Kind != Piece:
			continue
		}
		if k >= len(piece) || want != piece[k] {
			t.Fatalf("piece %v, want %q", piece, want)
		}
	}
}

// checkBehind fails where the old bytes have changed, other than positions.
func checkBehind(t sample.TB, m *tflite.Model, r *rewrite.Result) {
	t.Helper()
	if r.Method != rewrite.Prefix || r.Added <= 0 || r.Added%64 != 0 || int64(len(m.Data))+r.Added != int64(len(r.Data)) {
		t.Fatalf("%s added %d B to %d: %d", r.Method, r.Added, len(m.Data), len(r.Data))
	}
	behind := bytes.Clone(r.Data[r.Added:])
	sites, _ := patch.FindSites(m)
	for _, s := range sites {
		copy(behind[s.At:s.At+int64(s.Width)], m.Data[s.At:])
	}
	// Data that nothing has a use for makes room for what is added.
	out := modelfile.Parse(t, r.Data)
	for i := range goneBuffers(m, out) {
		from, to := m.Buffers[i].Offset-4, m.Buffers[i].Offset+int64(len(m.Buffers[i].Data))
		checkGone(t, out, i, len(m.Buffers), behind[from:to:to], from+r.Added)
		copy(behind[from:to], m.Data[from:to])
	}
	if !bytes.Equal(behind, m.Data) {
		t.Fatal("old bytes changed")
	}
}

// checkNothingLost fails where a line of the old content is not in the new one, operators
// of the edited subgraph aside, or where something is new that is no added tensor, buffer
// or code.
func checkNothingLost(t sample.TB, m *tflite.Model, e *Edit, old, now []string) {
	t.Helper()
	sub := fmt.Sprintf("model.Subgraphs[%d].", e.Subgraph)
	counts := []string{sub + "Tensors = ", "model.Buffers = ", "model.OperatorCodes = "}
	added := func(line string) bool {
		for _, p := range []struct {
			prefix string
			n      int
		}{
			{sub + "Tensors[", len(m.Subgraphs[e.Subgraph].Tensors)},
			{"model.Buffers[", len(m.Buffers)},
			{"model.OperatorCodes[", len(m.OperatorCodes)},
		} {
			index := 0
			if rest, ok := strings.CutPrefix(line, p.prefix); ok {
				if _, err := fmt.Sscanf(rest, "%d]", &index); err == nil && index >= p.n {
					return true
				}
			}
		}
		return false
	}
	keep := func(lines []string) (list []string) {
		for _, line := range lines {
			counted := slices.ContainsFunc(counts, func(c string) bool { return strings.HasPrefix(line, c) })
			if !counted && !strings.HasPrefix(line, sub+"Operators") && !added(line) {
				list = append(list, line)
			}
		}
		return list
	}
	if diff := cmp.Diff(keep(old), keep(now)); diff != "" {
		t.Fatalf("content (-old +new):\n%s", diff)
	}
}

// byOperator returns the lines of the operators of a subgraph, without what names them.
func byOperator(content []string, s int) (list [][]string) {
	prefix := fmt.Sprintf("model.Subgraphs[%d].Operators[", s)
	for _, line := range content {
		rest, ok := strings.CutPrefix(line, prefix)
		if !ok {
			continue
		}
		index, after := 0, strings.Index(rest, "]")
		if _, err := fmt.Sscan(rest[:after], &index); err != nil {
			continue
		}
		for len(list) <= index {
			list = append(list, nil)
		}
		list[index] = append(list[index], rest[after+1:])
	}
	return list
}

// An edit that keeps all operators in their order and adds nothing changes nothing, not
// even a plan.
func TestApplyNothing(t *testing.T) {
	for _, data := range [][]byte{convFiles()[0].encode(), encode.Encode(sample.Chain())} {
		m := modelfile.Parse(t, data)
		_, planned := embed(t, m, sample.Online(m))
		for _, m := range []*tflite.Model{m, planned} {
			r, err := Apply(m, keepAll(m, 0).Edit, rewrite.Options{})
			if err != nil || r.Method != rewrite.Unchanged || r.Added != 0 || !bytes.Equal(r.Data, m.Data) {
				t.Errorf("%+v, %v", r, err)
			}
		}
	}
}

// An edit takes the memory plan out, and the result is the same as without it.
func TestApplyPlanned(t *testing.T) {
	m := modelfile.Parse(t, convFiles()[4].encode())
	_, planned := embed(t, m, sample.Online(m))
	e := keepAll(m, 0)
	e.strips(m, 0)
	want, _ := apply(t, m, e)
	got, out := apply(t, planned, e)
	if !bytes.Equal(want.Data, got.Data) {
		t.Error("another file")
	}
	if got.Added != int64(len(got.Data)-len(planned.Data)) {
		t.Errorf("added %d", got.Added)
	}
	// The result takes a plan, gives it back, and can be edited again.
	again, _ := embed(t, out, sample.Online(out))
	if back := remove(t, modelfile.Parse(t, again.Data)); !bytes.Equal(back.Data, got.Data) {
		t.Error("removing the plan does not give the edited file")
	}
	second := keepAll(out, 0)
	second.copies(out, rand.New(rand.NewPCG(0, 0)), 2)
	r, _ := apply(t, out, second)
	checkApplied(t, out, &second.Edit, r)
}

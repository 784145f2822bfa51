package rewrite

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

func reorder(t sample.TB, m *tflite.Model, orders ...[]int) (*Result, *tflite.Model) {
	t.Helper()
	r, err := Reorder(m, orders, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r, modelfile.Parse(t, r.Data)
}

// inverse returns the orders that take orders back.
func inverse(orders [][]int) [][]int {
	back := make([][]int, len(orders))
	for s, order := range orders {
		if order == nil {
			continue
		}
		back[s] = make([]int, len(order))
		for i, old := range order {
			back[s][old] = i
		}
	}
	return back
}

var operatorLine = regexp.MustCompile(`^(model\.Subgraphs\[(\d+)\]\.Operators\[)(\d+)\]`)

// contentInOrder lists the content of a file as it should be when its operators are
// reordered, sorted. It shares no code with the rewriter.
func contentInOrder(m *tflite.Model, orders [][]int) []string {
	return inOrder(sample.ContentOf(m, 0, len(m.Buffers), nil), orders)
}

func inOrder(content []string, orders [][]int) []string {
	back := inverse(orders)
	lines := slices.Clone(content)
	for i, line := range lines {
		if !strings.HasPrefix(line, "model.Subgraphs[") {
			continue
		}
		found := operatorLine.FindStringSubmatch(line)
		if found == nil {
			continue
		}
		s, _ := strconv.Atoi(found[2])
		old, _ := strconv.Atoi(found[3])
		if s < len(back) && back[s] != nil {
			lines[i] = fmt.Sprintf("%s%d]%s", found[1], back[s][old], line[len(found[0]):])
		}
	}
	slices.Sort(lines)
	return lines
}

// checkReordered fails unless r is the file of m, which has no plan, with its operators
// in the orders given, and nothing else is different.
func checkReordered(t sample.TB, m *tflite.Model, orders [][]int, r *Result) {
	t.Helper()
	want, got := contentInOrder(m, orders), contentInOrder(modelfile.Parse(t, r.Data), nil)
	if !slices.Equal(want, got) {
		t.Fatalf("content (-want +got):\n%s", cmp.Diff(want, got))
	}
	checkReorderedBytes(t, m, r)
}

// checkReorderedBytes fails where bytes outside of the vectors of operators changed.
func checkReorderedBytes(t sample.TB, m *tflite.Model, r *Result) {
	t.Helper()
	if r.Added != 0 || len(r.Data) != len(m.Data) || r.Method != InPlace && r.Method != Unchanged {
		t.Fatalf("%s added %d B: %d, before %d", r.Method, r.Added, len(r.Data), len(m.Data))
	}
	vectors := operatorRanges(m)
	for i := range m.Data {
		if m.Data[i] != r.Data[i] && !slices.ContainsFunc(vectors, func(v [2]int) bool { return v[0] <= i && i < v[1] }) {
			t.Fatalf("the byte at %#x changed, outside of all vectors of operators", i)
		}
	}
}

// operatorRanges returns where the elements of the vectors of operators lie, [from, to).
func operatorRanges(m *tflite.Model) (list [][2]int) {
	root := schema.GetRootAsModel(m.Data, 0)
	for s := range m.Subgraphs {
		var sub schema.SubGraph
		root.Subgraphs(&sub, s)
		table := sub.Table()
		if offset := table.Offset(10); offset != 0 {
			start := int(table.Vector(flatbuffers.UOffsetT(offset)))
			list = append(list, [2]int{start, start + 4*sub.OperatorsLength()})
		}
	}
	return list
}

// A mustPrecede says of a pair of operators whether the first, which comes first in the
// file, has to stay in front.
type mustPrecede map[[2]int]bool

// precedence finds by pairs what [Reorder] finds by tensors: for data alone, or with
// effects.
func precedence(m *tflite.Model, s int, effects bool) mustPrecede {
	sub := &m.Subgraphs[s]
	readers, writers := map[int][]int{}, map[int][]int{}
	pairs := mustPrecede{}
	for i := range sub.Operators {
		op := &sub.Operators[i]
		for k, t := range op.Inputs {
			table := op.Table()
			if t >= 0 && (sub.Tensors[t].Variable || k < table.MutatingVariableInputsLength() && table.MutatingVariableInputs(k)) {
				writers[t] = append(writers[t], i)
			} else if t >= 0 {
				readers[t] = append(readers[t], i)
			}
		}
		for _, t := range append(slices.Clone(op.Outputs), op.Intermediates...) {
			if t >= 0 {
				writers[t] = append(writers[t], i)
			}
		}
		for j := range i {
			if effects && network.Conflict(m, s, j, i) {
				pairs[[2]int{j, i}] = true
			}
		}
	}
	for t, list := range writers {
		for _, i := range list {
			for _, j := range append(slices.Clone(list), readers[t]...) {
				if i != j {
					pairs[[2]int{min(i, j), max(i, j)}] = true
				}
			}
		}
	}
	return pairs
}

// validOrder returns an order that keeps what must be kept: choose takes one of the
// operators that may come next, ascending.
func validOrder(m *tflite.Model, s int, choose func(ready []int) int) []int {
	n := len(m.Subgraphs[s].Operators)
	waits, next := make([]int, n), make([][]int, n)
	for pair := range precedence(m, s, true) {
		waits[pair[1]]++
		next[pair[0]] = append(next[pair[0]], pair[1])
	}
	var ready, order []int
	for i := range n {
		if waits[i] == 0 {
			ready = append(ready, i)
		}
	}
	for len(ready) > 0 {
		at := choose(ready)
		op := ready[at]
		ready = slices.Delete(ready, at, at+1)
		order = append(order, op)
		for _, j := range next[op] {
			if waits[j]--; waits[j] == 0 {
				place, _ := slices.BinarySearch(ready, j)
				ready = slices.Insert(ready, place, j)
			}
		}
	}
	return order
}

// lateFirst chooses what comes last in the file: the order is as different as it gets.
func lateFirst(ready []int) int { return len(ready) - 1 }

func atRandom(r *rand.Rand) func([]int) int {
	return func(ready []int) int { return r.IntN(len(ready)) }
}

// validOrders returns an order for every subgraph, and how many operators they move.
func validOrders(m *tflite.Model, choose func([]int) int) (orders [][]int, moved int) {
	for s := range m.Subgraphs {
		order := validOrder(m, s, choose)
		for i, old := range order {
			if i != old {
				moved++
			}
		}
		orders = append(orders, order)
	}
	return orders, moved
}

// The comparison of contents sees operators that are in another order.
func TestContentInOrder(t *testing.T) {
	m := modelfile.Build(t, sample.Fork())
	if cmp.Equal(contentInOrder(m, nil), contentInOrder(m, [][]int{{1, 0, 2, 3}})) {
		t.Error("equal")
	}
}

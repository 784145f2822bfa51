package modeldiff

import (
	"bytes"
	"fmt"
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// An Operator is an operator of one of two models.
type Operator struct {
	Subgraph int `json:"subgraph"`
	// Index of the operator in its subgraph.
	Index int `json:"index"`
	// Kind of the operator, such as CONV_2D, or its custom code.
	Name string `json:"name"`
}

// ID returns "SUBGRAPH:OPERATOR".
func (o Operator) ID() string { return fmt.Sprintf("%d:%d", o.Subgraph, o.Index) }

func diffOperator(m *tflite.Model, subgraph, index int) Operator {
	return Operator{subgraph, index, m.Subgraphs[subgraph].Operators[index].Name}
}

// matchOperators pairs operators by their outputs, so that the order does not matter, and those without
// new outputs by their kind and tensors.
func matchOperators(s, t *tflite.Subgraph, tensors pairing) pairing {
	p := newPairing(len(s.Operators), len(t.Operators))
	toB, toA := counterparts(s, t, tensors.toB), counterparts(t, s, tensors.toA)
	for i, j := range toB {
		if j >= 0 && toA[j] == i {
			p.join(i, j)
		}
	}
	left := map[string][]int{}
	for j := range t.Operators {
		if o := &t.Operators[j]; p.toA[j] < 0 && !isFirstProducer(t, o) {
			k := key(o, func(tensor int) int { return tensors.toA[tensor] })
			left[k] = append(left[k], j)
		}
	}
	for i := range s.Operators {
		o := &s.Operators[i]
		if p.toB[i] >= 0 || isFirstProducer(s, o) {
			continue
		}
		k := key(o, func(tensor int) int {
			if tensors.toB[tensor] < 0 {
				return -1
			}
			return tensor
		})
		if list := left[k]; len(list) > 0 {
			p.join(i, list[0])
			left[k] = list[1:]
		}
	}
	return p
}

// counterparts returns for each operator of s the operator of t that produces its first common output,
// or -1.
func counterparts(s, t *tflite.Subgraph, tensors []int) []int {
	list := make([]int, len(s.Operators))
	for i := range s.Operators {
		list[i] = -1
		for _, out := range s.Operators[i].Outputs {
			if out < 0 || s.Tensors[out].Producer != i || tensors[out] < 0 {
				continue
			}
			if j := t.Tensors[tensors[out]].Producer; j >= 0 {
				list[i] = j
				break
			}
		}
	}
	return list
}

// isFirstProducer reports whether an operator is the first producer of a tensor.
func isFirstProducer(s *tflite.Subgraph, o *tflite.Operator) bool {
	return slices.ContainsFunc(o.Outputs, func(out int) bool { return out >= 0 && s.Tensors[out].Producer == o.Index })
}

// key describes an operator and its tensors, by the names that name returns.
func key(o *tflite.Operator, name func(tensor int) int) string {
	k := append([]byte(o.Name), 0)
	for _, list := range [][]int{o.Inputs, o.Outputs} {
		for _, tensor := range list {
			if tensor >= 0 {
				tensor = name(tensor)
			} else {
				tensor = -2 // omitted, whereas -1 is without a counterpart
			}
			k = fmt.Appendf(k, "%d ", tensor)
		}
		k = append(k, ';')
	}
	return string(k)
}

// operatorList returns the changes of operators.
func (m *matching) operatorList() List[Operator] {
	l := List[Operator]{Changed: []Change[Operator]{}, Added: []Operator{}, Removed: []Operator{}}
	turned := bytes.Compare(m.a.Data, m.b.Data) > 0
	for s, p := range m.operators {
		moved := moved(p, turned)
		for i, j := range p.toB {
			if j < 0 {
				l.Removed = append(l.Removed, diffOperator(m.a, s, i))
				continue
			}
			l.Matched++
			var parts []string
			if moved[i] {
				parts = append(parts, "order")
			}
			parts = append(parts, m.operatorParts(s, &m.a.Subgraphs[s].Operators[i], &m.b.Subgraphs[s].Operators[j])...)
			if len(parts) > 0 {
				l.Changed = append(l.Changed, Change[Operator]{diffOperator(m.a, s, i), diffOperator(m.b, s, j), parts})
			}
		}
		for j, i := range p.toA {
			if i < 0 {
				l.Added = append(l.Added, diffOperator(m.b, s, j))
			}
		}
	}
	return l
}

// operatorParts names the differing parts of an operator, besides its place.
func (m *matching) operatorParts(s int, x, y *tflite.Operator) []string {
	var parts []string
	tensors := m.tensors[s]
	for _, part := range []struct {
		name string
		same bool
	}{
		{"kind", x.Name == y.Name},
		{"version", m.a.OperatorCodes[x.Code].Version == m.b.OperatorCodes[y.Code].Version},
		{"inputs", tensors.same(x.Inputs, y.Inputs)},
		{"outputs", tensors.same(x.Outputs, y.Outputs)},
		{"intermediates", tensors.same(x.Intermediates, y.Intermediates)},
		{"subgraphs", slices.Equal(x.Subgraphs, y.Subgraphs)},
		{"options", m.sameOptions(x, y)},
	} {
		if !part.same {
			parts = append(parts, part.name)
		}
	}
	return parts
}

// moved returns the smallest set of paired operators of A that have to move to be in B's order: all but
// a longest rising sequence. turned makes the choice among several sequences independent of exchanging
// A and B.
func moved(p pairing, turned bool) []bool {
	list := make([]bool, len(p.toB))
	from := p.toB
	if turned {
		from = p.toA
	}
	var places []int // in the order of the side that is scanned
	for i, j := range from {
		if j >= 0 {
			places = append(places, i)
		}
	}
	kept := longestRising(places, from)
	for _, i := range places {
		a := i
		if turned {
			a = from[i]
		}
		list[a] = !kept[i]
	}
	return list
}

// longestRising returns the indexes of a longest rising sequence. (Schensted 1961: the smallest last
// value of each length.)
func longestRising(places, values []int) map[int]bool {
	var ends []int // the last index of the best sequence of each length
	before := make(map[int]int, len(places))
	for _, i := range places {
		n := sort.Search(len(ends), func(k int) bool { return values[ends[k]] >= values[i] })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	kept := map[int]bool{}
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = before[i] {
			kept[i] = true
		}
	}
	return kept
}

package scratch

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/tflite"
)

// Of maps the requests of a model's operators to models derived from it by reordering or tiling
// operators. A tile is assumed to request as much as the whole, which is an upper bound. An operator
// that only joins or splits tensors requests nothing.
func Of(own *tflite.Model, requests []rules.Request) func(*tflite.Model) []rules.Request {
	of := map[[2]int][]rules.Request{}
	for _, r := range requests {
		at := [2]int{r.Subgraph, r.Operator}
		of[at] = append(of[at], r)
	}
	return func(m *tflite.Model) []rules.Request {
		if m == own {
			return requests
		}
		list, record := []rules.Request{}, blocks.Of(m)
		for s := range min(len(m.Subgraphs), len(own.Subgraphs)) {
			for i := range m.Subgraphs[s].Operators {
				for _, r := range originalRequests(own, m, record, s, i, of) {
					r.Subgraph, r.Operator = s, i
					list = append(list, r)
				}
			}
		}
		return list
	}
}

// originalRequests returns the requests of operator i of subgraph s of m, from those of the original
// model.
func originalRequests(own, m *tflite.Model, record *blocks.Record, s, i int, of map[[2]int][]rules.Request) []rules.Request {
	before, now := &own.Subgraphs[s], &m.Subgraphs[s].Operators[i]
	kind, whole := m.OperatorCodes[now.Code], -1
	if len(now.Outputs) > 0 {
		whole = record.Whole(s, now.Outputs[0])
	}
	var pieces, alike []rules.Request
	for k := range before.Operators {
		o := &before.Operators[k]
		code := own.OperatorCodes[o.Code]
		switch list := of[[2]int{s, k}]; {
		case code.Builtin != kind.Builtin || code.Custom != kind.Custom:
		case slices.Equal(o.Outputs, now.Outputs):
			return list
		case whole >= 0 && slices.Contains(o.Outputs, whole):
			pieces = larger(pieces, list)
		case made(before, now):
			alike = larger(alike, list)
		}
	}
	if pieces != nil {
		return pieces
	}
	return alike
}

// made reports whether an operator produces a new tensor.
func made(before *tflite.Subgraph, now *tflite.Operator) bool {
	return len(now.Outputs) > 0 && now.Outputs[0] >= len(before.Tensors)
}

// larger returns the list of requests with the larger sum of bytes.
func larger(a, b []rules.Request) []rules.Request {
	sum := func(list []rules.Request) (n int64) {
		for _, r := range list {
			n += r.Bytes
		}
		return n
	}
	if a == nil || sum(b) > sum(a) {
		return append([]rules.Request{}, b...)
	}
	return a
}

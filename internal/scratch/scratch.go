// Package scratch reads the scratch requests of a target's kernels from CSV with one row for each
// request and the columns subgraph, operator and bytes. A column persistent is for the persistent
// memory of unknown kernels.
package scratch

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/columns"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// ErrInvalid is wrapped by errors about the file's contents.
var ErrInvalid = errors.New("not a valid list of scratch sizes")

const (
	// maxBytes is the largest request, more than any arena.
	maxBytes = 1 << 40
	// maxRequests is the limit of TensorFlow Lite Micro for one operator (kMaxScratchBuffersPerOp).
	maxRequests = 12
)

var names = []string{"subgraph", "operator", "bytes", persistent}

// persistent is the optional column, whose cells may be empty.
const persistent = "persistent"

// Parse reads the requests of the kernels of a model's operators, in bytes, and returns them in the
// runtime's order of preparing operators. Several rows of one operator are several requests, in order.
// Errors wrap [ErrInvalid] and name the line.
func Parse(data []byte, m *tflite.Model) ([]rules.Request, error) {
	r, at, err := columns.Open(data, len(names)-1, names...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	requests := []rules.Request{}
	count := map[[2]int]int{}
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		q, err := request(cells, at, m)
		operator := [2]int{q.Subgraph, q.Operator}
		if count[operator]++; err == nil && count[operator] > maxRequests {
			err = fmt.Errorf("operator %d:%d has more than %d requests, the most that the runtime takes", q.Subgraph, q.Operator, maxRequests)
		}
		if err != nil {
			line, _ := r.FieldPos(0)
			return nil, fmt.Errorf("%w: line %d: %w", ErrInvalid, line, err)
		}
		requests = append(requests, q)
	}
	slices.SortStableFunc(requests, func(a, b rules.Request) int {
		if a.Subgraph != b.Subgraph {
			return a.Subgraph - b.Subgraph
		}
		return a.Operator - b.Operator
	})
	return requests, nil
}

func request(cells []string, at []int, m *tflite.Model) (q rules.Request, err error) {
	var n [4]int64
	for i, column := range names {
		if at[i] < 0 {
			continue
		}
		cell := strings.TrimSpace(cells[at[i]])
		if column == persistent && cell == "" {
			continue
		}
		if n[i], err = strconv.ParseInt(cell, 10, 64); err != nil || n[i] < 0 || n[i] > maxBytes {
			return q, fmt.Errorf("%s %q is not a whole number from 0 to 2^40", column, cell)
		}
	}
	switch {
	case n[0] >= int64(len(m.Subgraphs)):
		return q, fmt.Errorf("there is no subgraph %d: the model has %d", n[0], len(m.Subgraphs))
	case n[1] >= int64(len(m.Subgraphs[n[0]].Operators)):
		return q, fmt.Errorf("there is no operator %d in subgraph %d: it has %d", n[1], n[0], len(m.Subgraphs[n[0]].Operators))
	}
	return rules.Request{Subgraph: int(n[0]), Operator: int(n[1]), Bytes: n[2], Persistent: n[3]}, nil
}

package litert

import (
	"context"
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// Memory besides tensors, in bytes. The first three were measured with ai-edge-litert 2.3.0 on x86-64,
// and rounded up generously.
const (
	// runtimeBytes is allocated once, when LiteRT first runs a model.
	runtimeBytes = 4 << 20
	// interpreterBytes is allocated for each interpreter, and nodeBytes for each of its tensors and
	// operators.
	interpreterBytes = 128 << 10
	nodeBytes        = 1 << 10
	// pageBytes is the largest overhead of a block of memory.
	pageBytes = 4 << 10
	// arenaAlign is the alignment of tensors in LiteRT's arena.
	arenaAlign = 64
)

// ErrSize is the error for models with tensors of unknown size.
var ErrSize = errors.New("the size of a tensor is not known before a run")

// workingBytes returns the bytes that LiteRT needs to run a model besides its file: the arena with the
// temporary tensors of the kernels, the heap of the kernels, and the interpreter itself. The default
// delegate also keeps a packed copy of the weights.
func workingBytes(ctx context.Context, m *tflite.Model, delegate bool) (int64, error) {
	v, err := rules.LiteRT().View(m, 0)
	if err != nil {
		return 0, err
	}
	for _, l := range v.LeftOut {
		switch l.Reason {
		case rules.UnknownDimensions, rules.NoStaticSize, rules.TooLarge:
			return 0, fmt.Errorf("%w: tensor %q", ErrSize, l.Name)
		}
	}
	records := v.Records()
	s := &m.Subgraphs[0]
	var heap, kept int64
	for position, step := range v.Usage.Steps {
		if step.Operator < 0 {
			continue
		}
		o := &s.Operators[step.Operator]
		need := kernelMemoryOf(m, s, o)
		if delegate {
			kept += delegateBytesOf(m, s, o)
			if computed(m, s, o) {
				need.arena, need.heap = 0, 0
			}
		}
		heap = max(heap, need.heap)
		if need.arena > 0 {
			records = append(records, lifetime.Record{ID: fmt.Sprint("temporary ", step.Operator), First: position, Last: position, Size: need.arena, Align: arenaAlign})
		}
	}
	plan, err := alloc.Solve(ctx, records, alloc.Options{Approach: alloc.Offsets, Strategy: alloc.LiteRTArena})
	if err != nil {
		return 0, err
	}
	nodes := int64(len(s.Tensors) + len(s.Operators))
	if delegate {
		kept += boundary(s) + nodes*nodeBytes
	}
	return kept + plan.Total + heap + interpreterBytes + nodes*nodeBytes, nil
}

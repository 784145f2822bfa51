package slim

import (
	"bytes"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

func (a *auditor) signatures() error {
	same := slices.EqualFunc(a.old.Signatures, a.new.Signatures, func(x, y tflite.Signature) bool {
		maps := func(s, t tflite.SignatureTensor) bool {
			return s.Name == t.Name && a.pair(x.Subgraph, s.Tensor, t.Tensor)
		}
		return x.Key == y.Key && x.Subgraph == y.Subgraph && slices.EqualFunc(x.Inputs, y.Inputs, maps) && slices.EqualFunc(x.Outputs, y.Outputs, maps)
	})
	if !same {
		return fmt.Errorf("the signatures differ")
	}
	return nil
}

// names checks the names of the tensors that programs look up.
func (a *auditor) names() error {
	var list [][2]int
	for _, t := range append(slices.Clone(a.old.Subgraphs[0].Inputs), a.old.Subgraphs[0].Outputs...) {
		list = append(list, [2]int{0, t})
	}
	for _, s := range a.old.Signatures {
		for _, t := range append(slices.Clone(s.Inputs), s.Outputs...) {
			list = append(list, [2]int{s.Subgraph, t.Tensor})
		}
	}
	for _, at := range list {
		s, t := at[0], at[1]
		if a.old.Subgraphs[s].Tensors[t].Name != a.new.Subgraphs[s].Tensors[a.place[s][t]].Name {
			return fmt.Errorf("the name of tensor %s differs", a.old.TensorID(s, t))
		}
	}
	return nil
}

// rest compares the tensors that nothing uses: none is left, or all are, at the same index.
func (a *auditor) rest() error {
	for s := range a.old.Subgraphs {
		x, y := a.old.Subgraphs[s].Tensors, a.new.Subgraphs[s].Tensors
		if len(x) != len(y) {
			if len(y) != len(a.place[s]) || fixesIndexes(a.old) {
				return fmt.Errorf("subgraph %d has %d tensors instead of %d", s, len(y), len(x))
			}
			continue
		}
		for t := range x {
			if !a.pair(s, t, t) {
				return fmt.Errorf("tensor %s differs", a.old.TensorID(s, t))
			}
		}
	}
	if len(a.new.OperatorCodes) != len(a.old.OperatorCodes) && fixesIndexes(a.old) || len(a.new.Buffers) != len(a.old.Buffers) && fixesBuffers(a.old) {
		return fmt.Errorf("indexes differ that metadata may refer to")
	}
	return nil
}

// metadata compares the entries that are not for people.
func (a *auditor) metadata() error {
	entries := func(m *tflite.Model) (list []tflite.Metadata) {
		for _, md := range m.Metadata {
			if !debugMetadata[md.Name] {
				list = append(list, md)
			}
		}
		return list
	}
	if !slices.EqualFunc(entries(a.old), entries(a.new), func(x, y tflite.Metadata) bool { return x.Name == y.Name && a.sameBuffer(x.Buffer, y.Buffer) }) {
		return fmt.Errorf("the metadata differs")
	}
	return nil
}

func (a *auditor) alignment() error {
	for i, b := range a.new.Buffers {
		if b.Offset%schema.DataAlignment != 0 {
			return fmt.Errorf("the data of buffers[%d] is not aligned", i)
		}
	}
	return nil
}

// trailing compares the bytes after the flatbuffer, except for the positions in zip archives.
func (a *auditor) trailing() error {
	x, y := afterFlatbuffer(a.old), afterFlatbuffer(a.new)
	if len(x) != len(y) {
		return fmt.Errorf("there are %d ranges after the flatbuffer instead of %d", len(y), len(x))
	}
	for i := range x {
		shift := y[i].End - x[i].End
		s, t := a.old.Data[x[i].Start:x[i].End], a.new.Data[y[i].Start:y[i].End]
		if x[i].Kind == "zip" {
			if err := patch.SameArchive(a.old, a.new.Data, shift); err != nil {
				return err
			}
			continue
		}
		// Zeros before the range may count as part of it.
		if !bytes.Equal(bytes.TrimLeft(s, "\x00"), bytes.TrimLeft(t, "\x00")) {
			return fmt.Errorf("the bytes after the flatbuffer differ")
		}
	}
	return nil
}

// afterFlatbuffer returns the ranges after the flatbuffer that are not padding.
func afterFlatbuffer(m *tflite.Model) (list []tflite.Range) {
	for _, r := range m.Trailing {
		if r.Kind != "padding" {
			list = append(list, r)
		}
	}
	return list
}

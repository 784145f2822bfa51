package rules

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/tflite"
)

// decompressed returns the output tensors that TFLM_DECODE writes into the decompression
// memory. Each operator fills the memory from its start, one output after another at multiples
// of 16, and skips those that do not fit. (decode.cc of tflite-micro 90b983c.)
func (r Rules) decompressed(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator) (list []int) {
	if r.decompression == 0 || m.OperatorCodes[o.Code].Custom != kernels.Decode {
		return nil
	}
	used := int64(0)
	for _, t := range o.Outputs {
		if t < 0 {
			continue
		}
		if end := integer.RoundUp(used, arenaAlign) + kernels.Bytes(&s.Tensors[t]); end <= r.decompression {
			list, used = append(list, t), end
		}
	}
	return list
}

// overwritten adds the outputs of TFLM_DECODE in the decompression memory that another operator
// overwrites before they are read.
func (fs *collector) overwritten(s *tflite.Subgraph) {
	decoder := map[int]int{} // the operator that decoded each tensor
	last := -1               // the last operator that wrote to the memory
	read := func(tensors []int) {
		for _, t := range tensors {
			if at, ok := decoder[t]; ok && at != last {
				delete(decoder, t)
				fs.add(Fault{
					Kind: WrongResults, Fails: true, Subgraph: s.Index, Operator: at, Name: s.Operators[at].Name, Phase: Eval,
					Source: "tensorflow/lite/micro/kernels/decode.cc",
					Reason: fmt.Sprintf("decodes tensor %d into the decompression memory, which operator %d:%d overwrites before the tensor is read", t, s.Index, last),
				})
			}
		}
	}
	for i := range s.Operators {
		o := &s.Operators[i]
		read(o.Inputs)
		for _, called := range o.Subgraphs {
			if fs.decodes(called) {
				last = i
			}
		}
		for _, t := range fs.rules.decompressed(fs.model, s, o) {
			decoder[t], last = i, i
		}
	}
	read(s.Outputs)
}

// decodes reports whether a subgraph, or one that it calls, writes into the decompression
// memory.
func (fs *collector) decodes(subgraph int) bool {
	writes, known := fs.writers[subgraph]
	if !known {
		for i, reached := range reachable(fs.model, subgraph) {
			s := &fs.model.Subgraphs[i]
			writes = writes || reached && slices.ContainsFunc(s.Operators, func(o tflite.Operator) bool {
				return len(fs.rules.decompressed(fs.model, s, &o)) > 0
			})
		}
		fs.writers[subgraph] = writes
	}
	return writes
}

package rules

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/tflite"
)

// decode marks the outputs of TFLM_DECODE that lie in the decompression memory: each operator fills it anew, one
// output after another at multiples of 16, as far as there is room. (decode.cc of tflite-micro 90b983c.)
func (w *work) decode(o *tflite.Operator) {
	if w.rules.DecompressionMemory == 0 || w.model.OperatorCodes[o.Code].Custom != kernels.Decode {
		return
	}
	taken := int64(0)
	for _, k := range o.Outputs {
		if k < 0 || w.constant[k] {
			continue
		}
		end := integer.RoundUp(taken, arenaAlign) + kernels.Bytes(&w.sub.Tensors[k])
		if end <= w.rules.DecompressionMemory {
			w.decoded[k], taken = true, end
		}
	}
}

// overwritten returns the faults of outputs of TFLM_DECODE that another one overwrites in the decompression memory
// before they are read.
func (v *View) overwritten() (list []Fault) {
	shared := map[[2]int]bool{}
	for _, l := range v.LeftOut {
		if l.Reason == Decompressed {
			shared[[2]int{l.Subgraph, l.Tensor}] = true
		}
	}
	for i := range v.Model.Subgraphs {
		s := &v.Model.Subgraphs[i]
		maker := -1 // the operator whose outputs lie there
		for at := range s.Operators {
			for _, k := range s.Operators[at].Inputs {
				if k >= 0 && shared[[2]int{i, k}] && s.Tensors[k].Producer != maker {
					list = append(list, v.lost(s, k, maker))
					delete(shared, [2]int{i, k})
				}
			}
			for _, k := range s.Operators[at].Outputs {
				if k >= 0 && shared[[2]int{i, k}] {
					maker = at
				}
			}
		}
		for _, k := range s.Outputs {
			if k >= 0 && shared[[2]int{i, k}] && s.Tensors[k].Producer != maker {
				list = append(list, v.lost(s, k, maker))
			}
		}
	}
	return list
}

// lost is the fault of an output that another operator has overwritten.
func (v *View) lost(s *tflite.Subgraph, tensor, by int) Fault {
	o := &s.Operators[s.Tensors[tensor].Producer]
	return Fault{
		Kind: WrongResults, Fails: true, Subgraph: s.Index, Operator: o.Index, Name: o.Name, Phase: Eval,
		Reason: fmt.Sprintf("decodes tensor %d into the decompression memory, where operator %d:%d decodes another one before it is read", tensor, s.Index, by),
	}
}

package litert

import (
	"time"

	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// TiledTimes returns the times of the operators of a tiled model from those of the original, by index in the first subgraph. A
// tile takes the part of its operator's time that it has of the multiply-accumulates, or of the output where there are none.
// Operators that copy tiles take no time. An operator that the original lacks takes the original's mean time of its
// multiply-accumulates.
func TiledTimes(original, tiled *tflite.Model, times map[int]time.Duration) map[int]time.Duration {
	from, to := &original.Subgraphs[0], &tiled.Subgraphs[0]
	makers := map[int]*tflite.Operator{}
	for i := range from.Operators {
		for _, t := range from.Operators[i].Outputs {
			makers[t] = &from.Operators[i]
		}
	}
	record := blocks.Of(tiled)
	var all time.Duration
	for _, d := range times {
		all += d
	}
	mean := float64(all) / float64(max(op.RunMACs(original, 0), 1))
	now := map[int]time.Duration{}
	for i := range to.Operators {
		o := &to.Operators[i]
		macs := float64(op.MACs(tiled, to, o).Total())
		now[i] = time.Duration(mean * macs)
		if len(o.Outputs) == 0 {
			continue
		}
		made := o.Outputs[0]
		whole := made
		if w := record.Whole(0, made); w >= 0 {
			whole = w
		}
		switch maker := makers[whole]; {
		case maker != nil && builtinOf(original, maker) == builtinOf(tiled, o):
			part, all := macs, float64(op.MACs(original, from, maker).Total())
			if all == 0 {
				part, all = float64(elements(&to.Tensors[made])), float64(elements(&from.Tensors[whole]))
			}
			now[i] = time.Duration(float64(times[maker.Index]) * part / max(all, 1))
		case record.Tiled(0, o):
			now[i] = 0
		}
	}
	return now
}

func builtinOf(m *tflite.Model, o *tflite.Operator) schema.BuiltinOperator {
	return m.OperatorCodes[o.Code].Builtin
}

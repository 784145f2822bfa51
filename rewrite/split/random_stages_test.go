package split_test

import (
	"math/rand/v2"
	"sort"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// drawStages returns one to three stages, none of which has an operator of another, in the
// order of the file. There are none where nothing can be cut.
func drawStages(r *rand.Rand, m *tflite.Model) []split.Stage {
	var runs []split.Run
	for run := range split.Runs(m) {
		runs = append(runs, run)
	}
	if len(runs) == 0 {
		return nil
	}
	var list []split.Stage
	for range 1 + r.IntN(3) {
		run := runs[r.IntN(len(runs))]
		if r.IntN(6) == 0 {
			run = wider(r, m, run)
		}
		if other := runs[r.IntN(len(runs))]; len(list) == 0 && other.Last-other.First > run.Last-run.First {
			run = other
		}
		free := true
		for _, s := range list {
			free = free && (run.Last < s.First || run.First > s.Last)
		}
		if free && r.IntN(6) == 0 {
			list = append(list, drawChannels(r, m, run))
		} else if free {
			list = append(list, drawStage(r, run))
		}
	}
	sort.Slice(list, func(a, b int) bool { return list[a].First < list[b].First })
	return list
}

// wider returns a run that begins earlier, if it can be cut: what comes in may be several
// tensors.
func wider(r *rand.Rand, m *tflite.Model, run split.Run) split.Run {
	other := run
	other.First = r.IntN(run.First + 1)
	s := split.Stage{First: other.First, Last: other.Last, Rows: 1, Columns: 1}
	if _, err := split.Cut(m, s, len(m.Subgraphs[0].Tensors)); err != nil {
		return run
	}
	return other
}

// drawStage cuts a run into a few pieces, and seldom into as many as there can be.
func drawStage(r *rand.Rand, run split.Run) split.Stage {
	pieces := func(size int) int {
		if r.IntN(8) == 0 {
			return size
		}
		return 1 + r.IntN(min(size, 5))
	}
	s := split.Stage{First: run.First, Last: run.Last, Rows: pieces(run.Height), Columns: 1, Carry: r.IntN(3) == 0}
	s.Widen = s.Carry && r.IntN(2) == 0
	if r.IntN(2) == 0 {
		s.Mode = split.Keep
	} else {
		s.Columns = pieces(run.Width)
	}
	if s.Rows*s.Columns == 1 && r.IntN(10) > 0 {
		s.Rows, s.Columns = min(2, run.Height), 1
	}
	if s.Mode == split.Recompute && r.IntN(4) == 0 {
		s.Rows, s.Columns, s.Tiles = 1, 1, min(2+r.IntN(12), run.Height*run.Width)
	}
	if s.Rows*s.Columns > 60 {
		s.Rows, s.Columns = min(s.Rows, 5), min(s.Columns, 5)
	}
	if r.IntN(3) == 0 {
		most := min(4, run.Height)
		s.Lean = r.IntN(2*most+1) - most
	}
	return s
}

// drawChannels cuts the end of a run along its channels where that can be done.
func drawChannels(r *rand.Rand, m *tflite.Model, run split.Run) split.Stage {
	shape := m.Subgraphs[0].Tensors[run.Out].Shape
	channels := shape[len(shape)-1]
	if channels == 1 {
		return drawStage(r, run)
	}
	s := split.Stage{Last: run.Last, Rows: 1, Columns: 1, Channels: 2 + r.IntN(int(min(channels, 8)-1)), ChannelStep: r.IntN(4)}
	for s.First = run.First; s.First <= s.Last; s.First++ {
		if _, err := split.Cut(m, s, len(m.Subgraphs[0].Tensors)); err == nil {
			return s
		}
	}
	return drawStage(r, run)
}

// cutAll returns the file with all stages cut, in one edit.
func cutAll(m *tflite.Model, stages []split.Stage) ([]byte, error) {
	e := edit.Edit{}
	at, all := 0, keepAll(m)
	for _, s := range stages {
		f, err := split.Cut(m, s, len(m.Subgraphs[0].Tensors)+len(e.Tensors))
		if err != nil {
			return nil, err
		}
		e.Operators = append(append(e.Operators, all[at:s.First]...), f.Operators...)
		e.Tensors = append(e.Tensors, f.Tensors...)
		at = s.Last + 1
	}
	e.Operators = append(e.Operators, all[at:]...)
	r, err := edit.Apply(m, e, rewrite.Options{Force: true})
	if err != nil {
		return nil, err
	}
	return r.Data, nil
}

// way names how a stage is cut.
func way(s split.Stage) string {
	name := s.Mode.String()
	switch {
	case s.Channels > 1:
		return "channels"
	case s.Tiles > 1:
		name += ", uneven tiles"
	case s.Rows == 1 && s.Columns == 1:
		return "one piece"
	case s.Columns > 1 && s.Rows > 1:
		name += ", tiles"
	case s.Columns > 1:
		name += ", columns"
	default:
		name += ", rows"
	}
	if s.Carry {
		name += ", carry"
	}
	return name
}

// rounds says whether LiteRT's optimised kernels may round some of what is cut otherwise
// in a piece. They calculate several elements at once and the last few otherwise: floats,
// those of QUANTIZE and DEQUANTIZE too, wherever these lie in the tensor, and the channels
// of DEPTHWISE_CONV_2D.
func rounds(m *tflite.Model, stages []split.Stage) bool {
	for _, s := range stages {
		for _, o := range m.Subgraphs[0].Operators[s.First : s.Last+1] {
			switch {
			case o.Name == "QUANTIZE", o.Name == "DEPTHWISE_CONV_2D" && s.Channels > 1,
				m.Subgraphs[0].Tensors[o.Outputs[0]].Type == schema.TensorTypeFLOAT32:
				return true
			}
		}
	}
	return false
}

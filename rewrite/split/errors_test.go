package split_test

import (
	"testing"

	"github.com/tflarena/tflarena/rewrite/split"
)

// A refusal is a stage of a model with what is said of it, "" where it can be cut. base is
// how far the first added tensor lies behind those of the model.
type refusal struct {
	model string
	stage split.Stage
	base  int
	want  string
}

func (r refusal) check(t *testing.T) {
	t.Helper()
	m := open(t, r.model)
	got := ""
	if _, err := split.Cut(m, r.stage, len(m.Subgraphs[0].Tensors)+r.base); err != nil {
		got = err.Error()
	}
	if got != r.want {
		t.Errorf("%s %+v:\n%s\nwant\n%s", r.model, r.stage, got, r.want)
	}
}

// TestErrors: errors of tiling name the blocking operator and the reason.
func TestErrors(t *testing.T) {
	for _, test := range []refusal{
		{"micro/person_detect", split.Stage{First: 3, Last: 2, Rows: 1, Columns: 1}, 0, "cannot be cut: there is no run of operators 3 to 2: the subgraph has 31"},
		{"micro/person_detect", split.Stage{First: -1, Last: 2, Rows: 1, Columns: 1}, 0, "cannot be cut: there is no run of operators -1 to 2: the subgraph has 31"},
		{"micro/person_detect", split.Stage{First: 0, Last: 30, Rows: 1, Columns: 1}, 0, "operator 29 RESHAPE cannot be cut: its output has the shape [1 2], with a single row"},
		{"micro/person_detect", split.Stage{First: 0, Last: 3, Rows: 25, Columns: 1}, 0, "cannot be cut: an output of 24 rows and 24 columns cannot be cut into 25 times 1"},
		{"micro/person_detect", split.Stage{First: 0, Last: 3, Rows: 2, Columns: 0}, 0, "cannot be cut: an output of 24 rows and 24 columns cannot be cut into 2 times 0"},
		{"micro/person_detect", split.Stage{First: 0, Last: 3, Rows: 2, Columns: 2, Mode: split.Keep}, 0, "cannot be cut: rows are kept for strips of the whole width only"},
		{"micro/person_detect", split.Stage{First: 0, Last: 3, Rows: 2, Columns: 1, Lean: -25}, 0, "cannot be cut: the edges between strips of an output of 24 rows cannot be moved by -25"},
		{"micro/person_detect", split.Stage{First: 0, Last: 3, Rows: 2, Columns: 1, ChannelStep: 8}, 0, "cannot be cut: a step of channels goes with slices of channels only"},
		{"micro/person_detect", split.Stage{First: 0, Last: 3, Rows: 2, Columns: 2, Mode: 7}, 0, "cannot be cut: there is no mode 7"},
		{"micro/person_detect", split.Stage{First: 0, Last: 3, Rows: 2, Columns: 2}, -1, "cannot be cut: the first added tensor cannot have index 88: there are 89 tensors"},
		{"micro/pretrainedResnet_quant", split.Stage{First: 4, Last: 5, Rows: 2, Columns: 2}, 0, ""},
		{"micro/pretrainedResnet_quant", split.Stage{First: 0, Last: 1, Rows: 2, Columns: 2}, 0, "operator 1 CONV_2D cannot be cut: its output is used by operator 2, and so does that of an operator before it"},
		{"nets/tf2_mobilenet_v2_1.0_224_ptq", split.Stage{First: 0, Last: 1, Rows: 2, Columns: 2}, 0, "operator 0 QUANTIZE cannot be cut: TensorFlow Lite Micro cannot cut tensors of type UINT8"},
		{"nets/style_transfer_quantized_dynamic", split.Stage{First: 5, Last: 5, Rows: 2, Columns: 2}, 0, "operator 5 CONV_2D cannot be cut: types FLOAT32, INT8 and FLOAT32 do not go together tile by tile"},
	} {
		test.check(t)
	}
}

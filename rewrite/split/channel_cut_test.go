package split_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// A convolution and the depthwise one behind it come out in pieces, each with its part of
// the weights, the biases and the scales.
func TestChannelPieces(t *testing.T) {
	m := open(t, "micro/vww_96_int8")
	f, err := split.Cut(m, split.Stage{First: 6, Last: 7, Rows: 1, Columns: 1, Channels: 3}, len(m.Subgraphs[0].Tensors))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"piece of 6: [1 24 24 32], [8 1 1 32] 0-8, [8] 0-8 -> [1 24 24 8]",
		"piece of 7: [1 24 24 8], [1 3 3 8] 0-8, [8] 0-8 -> [1 12 12 8]",
		"piece of 6: [1 24 24 32], [8 1 1 32] 8-16, [8] 8-16 -> [1 24 24 8]",
		"piece of 7: [1 24 24 8], [1 3 3 8] 8-16, [8] 8-16 -> [1 12 12 8]",
		"piece of 6: [1 24 24 32], [16 1 1 32] 16-32, [16] 16-32 -> [1 24 24 16]",
		"piece of 7: [1 24 24 16], [1 3 3 16] 16-32, [16] 16-32 -> [1 12 12 16]",
		"joined along 3: [1 12 12 8], [1 12 12 8], [1 12 12 16] -> [1 12 12 32]",
	}
	if diff := cmp.Diff(want, fragmentLines(m, f)); diff != "" {
		t.Error(diff)
	}
	// 32 filters of 32 bytes, 32 windows of 9 bytes and twice 32 biases of 4 bytes are cut into
	// three pieces each. The last piece, 8 channels, does not fit into the old space. 16 bytes
	// are counted for each piece.
	if f.WeightBytes != 8*32+8*9+2*8*4+4*3*16 || f.MACs != f.OwnMACs || f.MACs != 24*24*32*32+12*12*9*32 || len(f.Shares) != 0 {
		t.Errorf("%d B of weights, %d multiply-accumulates for %d, shares %v", f.WeightBytes, f.MACs, f.OwnMACs, f.Shares)
	}
}

// fragmentLines says what the operators of a fragment are.
func fragmentLines(m *tflite.Model, f *split.Fragment) (list []string) {
	sub := &m.Subgraphs[0]
	tensors := func(indexes []int) string {
		var texts []string
		for _, i := range indexes {
			if i < len(sub.Tensors) {
				texts = append(texts, fmt.Sprint(sub.Tensors[i].Shape))
				continue
			}
			e := f.Tensors[i-len(sub.Tensors)]
			text := fmt.Sprint(e.Shape)
			if e.Channels != nil {
				text += fmt.Sprintf(" %d-%d", e.Channels.From, e.Channels.To)
			}
			texts = append(texts, text)
		}
		return strings.Join(texts, ", ")
	}
	for _, o := range f.Operators {
		what := fmt.Sprintf("piece of %d", o.Of)
		if o.Of < 0 {
			what = fmt.Sprintf("joined along %d", o.Axis)
		}
		list = append(list, fmt.Sprintf("%s: %s -> %s", what, tensors(o.Inputs), tensors(o.Outputs)))
	}
	return list
}

// The weights of all pieces together are those of the file: joined where a filter has a row
// for each channel, and channel by channel where that is the last dimension.
func TestChannelWeights(t *testing.T) {
	m := open(t, "micro/vww_96_int8")
	sub := &m.Subgraphs[0]
	f, err := split.Cut(m, split.Stage{First: 6, Last: 7, Rows: 1, Columns: 1, Channels: 4}, len(sub.Tensors))
	if err != nil {
		t.Fatal(err)
	}
	conv, depthwise := sub.Operators[6].Inputs[1], sub.Operators[7].Inputs[1]
	var rows []byte
	windows := make([]byte, 9*32)
	at := 0
	for _, e := range f.Tensors {
		switch {
		case e.Data == nil:
		case e.Like == conv:
			rows = append(rows, e.Data...)
		case e.Like == depthwise:
			n := int(e.Shape[3])
			for i, b := range e.Data {
				windows[i/n*32+at+i%n] = b
			}
			at += n
		}
	}
	if !bytes.Equal(rows, m.Buffer(&sub.Tensors[conv]).Data) || !bytes.Equal(windows, m.Buffer(&sub.Tensors[depthwise]).Data) {
		t.Error("the weights are not those of the file")
	}
}

// Every run of every model of the corpus can be cut along the channels, and all that can be
// cut at once comes out as a file.
func TestChannelCorpus(t *testing.T) {
	const large = 8 << 20
	runs, files := 0, 0
	for _, file := range corpus.Models(t) {
		m, err := tflite.Open(file.Path)
		if err != nil || len(m.Data) > large || testing.Short() && len(m.Data) > large/16 {
			continue
		}
		list := channelRuns(m)
		for _, r := range list {
			for _, n := range []int{2, min(r.Most, 11)} {
				s := split.Stage{First: r.First, Last: r.Last, Rows: 1, Columns: 1, Channels: n}
				if f, err := split.Cut(m, s, len(m.Subgraphs[0].Tensors)); err != nil {
					t.Fatalf("%s %+v: %v", file.Name, s, err)
				} else if f.WeightBytes > int64(len(m.Data)) {
					t.Errorf("%s %+v: %d B of weights", file.Name, s, f.WeightBytes)
				}
			}
		}
		runs += len(list)
		if len(list) == 0 {
			continue
		}
		_, _, err = everywhere(t, m)
		if refused := new(rewrite.RefusedError); errors.As(err, &refused) {
			t.Logf("%s: %v", file.Name, err)
		} else if err != nil {
			t.Errorf("%s: %v", file.Name, err)
		}
		files++
	}
	t.Logf("%d runs of %d files", runs, files)
}

// TestChannelErrors: errors of slicing along the channels name the blocking operator and the
// reason.
func TestChannelErrors(t *testing.T) {
	for _, test := range []refusal{
		{"micro/vww_96_int8", split.Stage{First: 2, Last: 4, Channels: 2}, 0, "operator 4 CONV_2D cannot be cut: its input 0 is made in the stage and is needed as a whole"},
		{"micro/vww_96_int8", split.Stage{First: 2, Last: 3, Channels: 9}, 0, "cannot be cut: the channels can be cut into 2 slices at most, not into 9"},
		{"micro/vww_96_int8", split.Stage{First: 2, Last: 3, Channels: 2}, -1, "cannot be cut: the first added tensor cannot have index 88: there are 89 tensors"},
		{"micro/vww_96_int8", split.Stage{First: 2, Last: 31, Channels: 2}, 0, "cannot be cut: there is no run of operators 2 to 31: the subgraph has 31"},
		{"micro/vww_96_int8", split.Stage{First: 30, Last: 30, Channels: 2}, 0, "operator 30 SOFTMAX cannot be cut: each of its values depends on all channels"},
		{"nets/movenet_single_pose_lightning_ptq", split.Stage{First: 73, Last: 73, Channels: 9}, 0, "cannot be cut: the channels can be cut into 8 slices at most, not into 9"},
		{"micro/vww_96_int8", split.Stage{First: 2, Last: 3, Channels: -1}, 0, "cannot be cut: there cannot be -1 channel slices"},
		{"micro/vww_96_int8", split.Stage{First: 2, Last: 3, Channels: 2, ChannelStep: -8}, 0, "cannot be cut: the channels cannot be cut in steps of -8"},
		{"nets/tf2_mobilenet_v2_1.0_224_ptq", split.Stage{First: 63, Last: 63, Channels: 81, ChannelStep: 32}, 0, "cannot be cut: the channels can be cut into 40 slices at most, not into 81"},
		{"micro/pretrainedResnet_quant", split.Stage{First: 0, Last: 1, Channels: 2}, 0, "operator 1 CONV_2D cannot be cut: its input 0 is made in the stage and is needed as a whole"},
		{"micro/hello_world_int8", split.Stage{First: 2, Last: 2, Channels: 2}, 0, "cannot be cut: it does not have enough channels"},
		{"nets/tf2_mobilenet_v2_1.0_224_ptq", split.Stage{First: 0, Last: 0, Channels: 2}, 0, "operator 0 QUANTIZE cannot be cut: TensorFlow Lite Micro cannot cut tensors of type UINT8"},
		{"nets/tf2_mobilenet_v2_1.0_224_ptq", split.Stage{First: 63, Last: 63, Channels: 81}, 0, "cannot be cut: the channels can be cut into 80 slices at most, not into 81"},
		{"corner/blockwise_quantized", split.Stage{Channels: 2}, 0, "operator 0 ADD cannot be cut: its input 1 is not quantised as a whole"},
	} {
		test.stage.Rows, test.stage.Columns = 1, 1
		test.check(t)
	}
	m := open(t, "micro/vww_96_int8")
	for _, s := range []split.Stage{{Rows: 2, Columns: 1}, {Rows: 1, Columns: 2}, {Rows: 1, Columns: 1, Mode: split.Keep}} {
		s.Channels = 2
		_, err := split.Cut(m, s, len(m.Subgraphs[0].Tensors))
		if want := "cannot be cut: channels are cut with one row, one column, no lean and mode recompute only"; err == nil || err.Error() != want {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

package split_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// channelNets are networks of the corpus, and the part of their runs that are compared
// each time: every so many, 0 for none.
var channelNets = []struct {
	name  string
	every int
}{
	{"micro/person_detect", 4},
	{"micro/vww_96_int8", 9},
	{"micro/pretrainedResnet_quant", 3},
	{"micro/pretrainedResnet", 7},
	{"micro/kws_ref_model", 3},
	{"micro/str_ww_ref_model", 3},
	{"micro/ds_cnn_s_quantized", 5},
	{"micro/ad01_int8", 4},
	{"micro/ad01_fp32", 4},
	{"micro/hello_world_int8", 1},
	{"nets/mcunet-320kb-1mb_imagenet", 61},
	{"nets/mobilenet_v1_0.25_128", 14},
	{"nets/mobilenet_v1_0.25_128_quant", 14},
	{"nets/tf2_mobilenet_v2_1.0_224_ptq", 23},
	{"nets/style_transfer_quantized_dynamic", 131},
	{"nets/movenet_single_pose_lightning_ptq", 61},
	{"nets/mobilenet_edgetpu_0.75_224_post_training_quant", 0},
	{"nets/yamnet_audio_classifier_with_metadata", 0},
	{"nets/movinet_int8", 0},
	{"nets/hair_segmentation", 0},
	{"nets/deeplab_mobilenet_edgetpu_slim_cityscapes_quant", 0},
	{"nets/mobilenet_v2_quantized_1x3x224x224", 0},
	{"nets/pefm_hourglass_v1", 0},
	{"nets/kwt1_non_stream", 0},
	{"corner/pnet", 0},
}

// Runs of real networks, each alone and fed with noise, give the same outputs in both real
// runtimes when they are cut along the channels, bit by bit. LiteRT's fast kernels are
// asked for integers only, since they add floats in another order from size to size.
func TestRuntimesChannels(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtimes take a while")
	}
	runtimes := oracle.Start(t)
	for _, net := range channelNets {
		if net.every == 0 && !*golden.Audit {
			continue
		}
		m := open(t, net.name)
		compared := map[string]int{}
		k := 0
		for r := range split.ChannelRuns(m, 0) {
			if k++; r.Last-r.First > 2 || !*golden.Audit && k%net.every != 0 {
				continue
			}
			one := alone(t, m, r)
			if one == nil {
				compared["left out"]++
				continue
			}
			for n := 2; n <= min(r.Most, 3); n++ {
				s := split.Stage{Last: r.Last - r.First, Rows: 1, Columns: 1, Channels: n}
				compareChannels(t, runtimes, net.name, r, one, s, compared)
			}
		}
		t.Logf("%s: %v of %d runs", net.name, compared, k)
	}
}

// TestRuntimesChannelsEverywhere: networks with every possible run sliced along the channels,
// including runs with several inputs, produce the same outputs.
func TestRuntimesChannelsEverywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtimes take a while")
	}
	runtimes := oracle.Start(t)
	for _, name := range []string{"micro/person_detect", "micro/pretrainedResnet_quant", "micro/pretrainedResnet", "micro/kws_ref_model", "nets/mcunet-320kb-1mb_imagenet"} {
		m := open(t, name)
		data, stages, err := everywhere(t, m)
		if err != nil {
			t.Fatal(err)
		}
		compared := map[string]int{}
		compareFiles(t, runtimes, name, m, data, compared)
		t.Logf("%s: %d stages, %v", name, stages, compared)
	}
}

// everywhere cuts the longest run that there is, again and again, from the first on.
func everywhere(t *testing.T, m *tflite.Model) (data []byte, stages int, err error) {
	t.Helper()
	longest := map[int]split.ChannelRun{}
	for r := range split.ChannelRuns(m, 0) {
		longest[r.First] = r
	}
	sub := &m.Subgraphs[0]
	var e edit.Edit
	for i := 0; i < len(sub.Operators); i++ {
		r, ok := longest[i]
		if !ok {
			e.Operators = append(e.Operators, edit.Operator{Kind: edit.Keep, Of: i})
			continue
		}
		s := split.Stage{First: i, Last: r.Last, Rows: 1, Columns: 1, Channels: min(r.Most, 2+stages%11)}
		f, err := split.Cut(m, s, len(sub.Tensors)+len(e.Tensors))
		if err != nil {
			t.Fatalf("%+v: %v", s, err)
		}
		e.Tensors, e.Operators = append(e.Tensors, f.Tensors...), append(e.Operators, f.Operators...)
		i = r.Last
		stages++
	}
	r, err := edit.Apply(m, e, rewrite.Options{Force: true})
	if err != nil {
		return nil, 0, err
	}
	return r.Data, stages, nil
}

// compareChannels runs a model of one stage as it is and in pieces.
func compareChannels(t *testing.T, runtimes *oracle.Runtimes, name string, r split.ChannelRun, m *tflite.Model, s split.Stage, compared map[string]int) {
	t.Helper()
	what := fmt.Sprintf("%s, operators %d to %d in %d pieces", name, r.First, r.Last, s.Channels)
	compareFiles(t, runtimes, what, m, inPieces(t, m, s), compared)
}

// compareFiles runs a model and another file that is to do the same.
func compareFiles(t *testing.T, runtimes *oracle.Runtimes, what string, m *tflite.Model, data []byte, compared map[string]int) {
	t.Helper()
	before, after := sample.Written(t, m.Data), sample.Written(t, data)
	for _, way := range [][2]string{{"tflm", ""}, {"litert", ""}, {"litert", "BUILTIN_WITHOUT_DEFAULT_DELEGATES"}} {
		if way[1] != "" && calculatesFloats(m) {
			continue
		}
		request := oracle.Request{Runtime: way[0], Kernels: way[1], Model: before, Arena: 1 << 26, Seed: 1, Invokes: 2, Inputs: 1, Outputs: 1}
		want := runtimes.Run(t, request)
		if want.Error != "" {
			compared["none in "+way[0]]++
			continue
		}
		request.Model = after
		got := runtimes.Run(t, request)
		if diff := cmp.Diff(want.Outputs, got.Outputs); diff != "" || got.Error != "" {
			t.Errorf("%s, in %v: %s outputs differ (-before +after):\n%s", what, way, got.Error, diff)
		}
		compared[way[0]+way[1]]++
	}
}

// calculatesFloats says whether a model calculates with floats.
func calculatesFloats(m *tflite.Model) bool {
	sub := &m.Subgraphs[0]
	return slices.ContainsFunc(sub.Operators, func(o tflite.Operator) bool {
		return sub.Tensors[o.Outputs[0]].Type == schema.TensorTypeFLOAT32
	})
}

// alone returns a model of a run and nothing else, nil where several tensors come in or
// the model has several inputs or outputs.
func alone(t *testing.T, m *tflite.Model, r split.ChannelRun) *tflite.Model {
	t.Helper()
	sub := &m.Subgraphs[0]
	in := comingIn(sub, r.First, r.Last)
	if len(in) != 1 || len(sub.Inputs) == 0 || len(sub.Outputs) == 0 {
		return nil
	}
	data := slices.Clone(m.Data)
	var table schema.SubGraph
	schema.GetRootAsModel(data, 0).Subgraphs(&table, 0)
	table.MutateInputs(0, int32(in[0]))
	table.MutateOutputs(0, int32(r.Out))
	keepElements(&table, 1, 0, 1, 0)
	keepElements(&table, 2, 0, 1, 0)
	// References are relative to where they are.
	keepElements(&table, 3, r.First, r.Last-r.First+1, uint32(4*r.First))
	one, err := tflite.Parse(data, m.Name)
	if err != nil {
		t.Fatal(err)
	}
	return one
}

// keepElements leaves some elements alone in a field of a subgraph that is a vector of 4-byte
// numbers, and adds a number to each.
func keepElements(table *schema.SubGraph, field, from, n int, more uint32) {
	t, le := table.Table(), binary.LittleEndian
	vector := int(t.Vector(flatbuffers.UOffsetT(t.Offset(flatbuffers.VOffsetT(4 + 2*field)))))
	le.PutUint32(t.Bytes[vector-4:], uint32(n))
	for i := range n {
		le.PutUint32(t.Bytes[vector+4*i:], le.Uint32(t.Bytes[vector+4*(from+i):])+more)
	}
}

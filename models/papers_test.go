package models

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
)

// A census is the published counts of a network.
type census struct {
	// parameters is the published count, exactly; difference is the surplus of ours, and
	// normalised reports that the published count includes a batch normalisation scale per
	// convolution channel, which is folded into the weights here.
	parameters, difference int64
	normalised             bool
	// multiplyAdds is the published count in millions, zero if absent, and tolerance is in
	// percent.
	multiplyAdds, tolerance float64
}

// TestCensus compares parameters, exactly, and multiply-adds with published counts: in the
// papers, by their authors, or of the implementations that the networks follow.
func TestCensus(t *testing.T) {
	for name, want := range map[string]census{
		// timm's, with 1000 classes.
		"inception-v4": {42_679_816, 1536 + 1, true, 12_280, 0.5},
		// Keras's trainable ones, with 1000 classes; the scales before convolutions stay.
		// Multiply-adds at 299x299 are not published.
		"resnet-v2-101": {44_577_896, 2048 + 1 - 2*(3*64+4*128+23*256+3*512), false, 0, 0},
		// torchvision's; the authors count 1.72 and 0.72 G operations. Their version 1.0 pads
		// the last 1x1 convolution, ours does not; ours is 8 % below the count of their file.
		"squeezenet-1.0": {1_248_424, 0, false, 860, 4},
		"squeezenet-1.1": {1_235_496, 0, false, 360, 8},
		"mnasnet-1.3":    {6_282_256, 0, true, 530, 1}, // torchvision's
		// The paper counts weights without biases and slopes, and has no multiply-adds.
		"fsrcnn":   {12_464, 56 + 12 + 4*12 + 56 + 1 + 56 + 12 + 4*12 + 56, false, 0, 0},
		"fsrcnn-s": {3_937, 32 + 5 + 5 + 32 + 1 + 32 + 5 + 5 + 32, false, 0, 0},
		// torchvision's.
		"vgg16":     {138_357_544, 0, false, 15_470, 0.1},
		"vgg19":     {143_667_240, 0, false, 19_630, 0.1},
		"resnet50":  {25_557_032, 0, true, 4_090, 0.1},
		"resnet152": {60_192_808, 0, true, 11_510, 0.1},
		"vit-b16":   {86_567_656, 0, false, 17_560, 0.1},
		// The authors' weights without the positions after the 64th.
		"gpt2": {124_439_808, -(1024 - 64) * 768, false, 0, 0},
		// Of the network on one processor. The paper's own has 61 million.
		"alexnet":   {62_378_344, 0, false, 1_135, 0.1},
		"googlenet": {6_998_552, 0, false, 1_500, 6}, // the Caffe model's; the paper's budget
		// Keras's trainable ones, whose batch normalisation has no scales; timm's.
		"inception-resnet-v2": {55_813_192, 0, false, 13_180, 0.5},
		// Not published: three word matrices, and the layers with two biases per gate.
		"seq2seq": {3*40_002*1024 + 40_002 + 6*(8*1024*1024+8*1024), -6 * 4 * 1024, false, 0, 0},
	} {
		data := build(t, name, Options{})
		got := int64(externalBytes(data)) / 4
		if want.normalised {
			got += channels(data)
		}
		if got != want.parameters+want.difference {
			t.Errorf("%s: %d parameters, want %d", name, got, want.parameters+want.difference)
		}
		if millions := float64(count(data).multiplyAdds) / 1e6; off(millions, want.multiplyAdds) > want.tolerance {
			t.Errorf("%s: %.6g M multiply-adds, want %g within %g %%", name, millions, want.multiplyAdds, want.tolerance)
		}
	}
}

// channels counts the output channels of all convolutions.
func channels(data []byte) (n int64) {
	m := schema.GetRootAsModel(data, 0)
	var sub schema.SubGraph
	m.Subgraphs(&sub, 0)
	for i := range sub.OperatorsLength() {
		var o schema.Operator
		sub.Operators(&o, i)
		if kind := o.BuiltinOptionsType(); kind == schema.BuiltinOptionsConv2DOptions || kind == schema.BuiltinOptionsDepthwiseConv2DOptions {
			n += int64(dims(&sub, o.Outputs(0))[3])
		}
	}
	return n
}

// TestProfiles compares with profiles of the same networks that others derived from the papers:
// the bytes of all weights, and the time of all layers at 30 multiply-adds per nanosecond.
func TestProfiles(t *testing.T) {
	const perMillisecond = 30e6
	dir := filepath.Join(corpus.Dir(t), "stream", "cases", "profiles")
	for name, test := range map[string]struct {
		file string
		more uint64 // bytes of weights that the profile counts twice and the file has once
	}{
		"vgg19":     {"vgg19", 0},
		"resnet152": {"resnet152", 0},
		"gpt2":      {"gpt2", 4 * 64 * 768}, // the rows of the embedding that are read
	} {
		data := build(t, name, Options{})
		var weights uint64
		for _, row := range profile(t, filepath.Join(dir, test.file+".memprof.csv")) {
			if row[1] == "0" && row[2] == "1" {
				weights += uint64(number(t, row[4]))
			}
		}
		if got := externalBytes(data) + test.more; got != weights {
			t.Errorf("%s: %d bytes of weights, want %d", name, got, weights)
		}
		var milliseconds float64
		for _, row := range profile(t, filepath.Join(dir, test.file+".r1.timeprof.csv")) {
			v, err := strconv.ParseFloat(row[6], 64)
			if err != nil {
				t.Fatal(err)
			}
			milliseconds += v
		}
		if got := float64(count(data).multiplyAdds); off(got, milliseconds*perMillisecond) > 1e-4 {
			t.Errorf("%s: %.0f multiply-adds, want %.0f", name, got, milliseconds*perMillisecond)
		}
	}
}

// profile returns the rows of a profile after its header.
func profile(t *testing.T, path string) [][]string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// TestTileAwareFigures has figures that Kvochko and others (2024) print for 8-bit networks,
// table 1, if they are the most bytes alive at one operator.
func TestTileAwareFigures(t *testing.T) {
	for name, want := range map[string]int64{
		"inception-v4-int8": 2_235_616,
		"fsrcnn-s-int8":     25_165_824,
	} {
		if got := lifetime.MaxBreadth(bytesAsTheyAre(t, name)); got != want {
			t.Errorf("%s: %d bytes, want %d", name, got, want)
		}
	}
}

// bytesAsTheyAre returns the usage records of a network in TensorFlow Lite Micro.
func bytesAsTheyAre(t *testing.T, name string) []lifetime.Record {
	t.Helper()
	micro := rules.Micro()
	view, err := micro.View(parse(t, build(t, name, Options{Weights: Zero}), name), -1)
	if err != nil {
		t.Fatal(err)
	}
	return view.Records()
}

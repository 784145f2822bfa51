package tflite_test

import (
	"encoding/hex"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/tflite"
)

// Maps as the FlexBuffers library of Python writes them.
const (
	// {"a": 1, "max_detections": 10, "num_classes": -3, "h_scale": 5.0,
	// "use_regular_nms": true, "T": 7}
	detection = "61006d61785f646574656374696f6e73006e756d5f636c617373657300685f7363616c65007573655f726567756c61725f6e6d730054000603391d392b" +
		"18000008000000010000000600000007000000010000000000a0400a000000fdffffff0100000006060e06066a1e2601"
	// {"big": 2^40, "small": 2, "frame_size": 70000}
	wide = "62696700736d616c6c006672616d655f73697a650003160d14000000000000000a000000000000000100000000000000030000000000000000000000000100007011010000" +
		"00000002000000000000000707071b2701"
)

func TestCustomOption(t *testing.T) {
	tests := []struct {
		options, name string
		want          int64
		ok            bool
	}{
		{detection, "a", 1, true},
		{detection, "max_detections", 10, true},
		{detection, "num_classes", -3, true},
		{detection, "use_regular_nms", 1, true},
		{detection, "T", 7, true},
		{detection, "h_scale", 0, false}, // not an integer
		{detection, "max", 0, false},     // the beginning of a name
		{detection, "", 0, false},
		{wide, "big", 1 << 40, true},
		{wide, "small", 2, true},
		{wide, "frame_size", 70000, true},
		{"", "a", 0, false},
		{"010401", "a", 0, false}, // a number, not a map
	}
	for _, tt := range tests {
		data, err := hex.DecodeString(tt.options)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := customOperator(t, data).CustomOption(tt.name); got != tt.want || ok != tt.ok {
			t.Errorf("%.20s... %q: %d, %v, want %d, %v", tt.options, tt.name, got, ok, tt.want, tt.ok)
		}
	}
}

// TestHostileCustomOptions modifies bytes of a map, truncates it and generates bytes: nothing
// panics or reads out of bounds.
func TestHostileCustomOptions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data, err := hex.DecodeString(rapid.SampledFrom([]string{detection, wide}).Draw(t, "map"))
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 4).Draw(t, "changes") {
			data[rapid.IntRange(0, len(data)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		data = data[rapid.IntRange(0, len(data)).Draw(t, "from"):]
		customOperator(t, data).CustomOption(rapid.SampledFrom([]string{"a", "T", "big", "max_detections"}).Draw(t, "name"))
	})
}

func customOperator(t interface{ Fatal(...any) }, options []byte) *tflite.Operator {
	m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{{
		Tensors:   []encode.Tensor{{Name: "x", Shape: []int32{1}}},
		Operators: []encode.Operator{{Builtin: 32, Custom: "C", Inputs: []int{0}, Outputs: []int{0}, CustomOptions: options}},
	}}}), "custom")
	if err != nil {
		t.Fatal(err)
	}
	return &m.Subgraphs[0].Operators[0]
}

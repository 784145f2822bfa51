package embedded

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// pair is two consecutive operators, with a memory plan of these words.
func pair(t *testing.T, plan ...int32) *tflite.Model {
	t.Helper()
	tensors := make([]encode.Tensor, 3)
	for i := range tensors {
		tensors[i] = encode.Tensor{Type: schema.TensorTypeINT8, Shape: []int32{64}}
	}
	m := encode.Model{Subgraphs: []encode.Subgraph{{
		Name: "main", Tensors: tensors, Inputs: []int{0}, Outputs: []int{2},
		Operators: []encode.Operator{
			{Builtin: schema.BuiltinOperatorRELU, Inputs: []int{0}, Outputs: []int{1}},
			{Builtin: schema.BuiltinOperatorRELU, Inputs: []int{1}, Outputs: []int{2}},
		},
	}}}
	if plan != nil {
		var data []byte
		for _, word := range plan {
			data = binary.LittleEndian.AppendUint32(data, uint32(word))
		}
		m.Buffers = []encode.Buffer{{Data: data}}
		m.Metadata = []encode.Metadata{{Name: "OfflineMemoryAllocation", Buffer: 1}}
	}
	parsed, err := tflite.Parse(encode.Encode(m), "pair")
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func TestCarried(t *testing.T) {
	for _, c := range []struct {
		name     string
		plan     []int32
		followed bool
		head     int64
		trouble  Trouble
		text     string
		foreign  string
	}{
		{"no plan", nil, false, 128, Sound, "", ""},
		{"a sound one", []int32{1, 1, 3, 0, 128, -1}, true, 192, Sound, "", ""},
		{"another tool's", []int32{4, 1, 3, 0, 64, 0}, true, 128, Sound, "", "version 4"},
		{"too short", []int32{1, 1, 7, 0}, false, 128, Unfollowed, "cannot be followed: ", ""},
		{"one place for two", []int32{1, 1, 3, 0, 32, -1}, true, 160, Broken, "is broken: ", ""},
	} {
		m := pair(t, c.plan...)
		carried, err := Follow(t.Context(), rules.DefaultDevice().WithoutScratch(), m, "")
		if err != nil {
			t.Fatal(err)
		}
		if carried.Followed() != c.followed || carried.Outcome.Head != c.head {
			t.Errorf("%s: followed %v, head %d", c.name, carried.Followed(), carried.Outcome.Head)
		}
		if kind, text := carried.Trouble(m); kind != c.trouble || !strings.HasPrefix(text, c.text) || kind == Sound && text != "" {
			t.Errorf("%s: trouble %v, %q", c.name, kind, text)
		}
		if foreign := carried.Foreign(m); !strings.Contains(foreign, c.foreign) || c.foreign == "" && foreign != "" {
			t.Errorf("%s: foreign %q", c.name, foreign)
		}
	}
}

func TestNothingWrongInLiteRT(t *testing.T) {
	v, err := rules.Micro().View(pair(t), -1)
	if err != nil {
		t.Fatal(err)
	}
	wrong := WrongInLiteRT(v)
	if text, mendable := LiteRTWarning(v, wrong); len(wrong) > 0 || text != "" || mendable {
		t.Errorf("%v, %q, %v", wrong, text, mendable)
	}
}

// TestFollowEnds: an interrupt is no fault of the plan.
func TestFollowEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, m := range []*tflite.Model{pair(t), pair(t, 1, 1, 3, 0, 128, -1)} {
		if carried, err := Follow(ctx, rules.DefaultDevice().WithoutScratch(), m, ""); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v, %v", carried, err)
		}
	}
}

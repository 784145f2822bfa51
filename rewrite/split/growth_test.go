package split_test

import (
	"bytes"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// fataler is a test of package testing or of rapid.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkGrowth asks that a file with a fragment grows by what the fragment says, and by the
// tables of what is added. It returns both: how many bytes in all, and how many at most for
// tables.
func checkGrowth(t fataler, m *tflite.Model, s split.Stage, f *split.Fragment) (added, tables int64) {
	t.Helper()
	r, err := edit.Apply(m, edit.Edit{Tensors: f.Tensors, Operators: whole(m, s, f)}, rewrite.Options{})
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	sub := &m.Subgraphs[0]
	tables = int64(1<<10 + 8*(len(sub.Tensors)+len(sub.Operators)+len(m.Buffers)) + 200*len(f.Operators))
	for _, e := range f.Tensors {
		tables += 200 + int64(len(e.Name))
		if e.Channels != nil {
			tables += 12 * int64(e.Channels.To-e.Channels.From)
		}
	}
	if r.Added > f.WeightBytes+tables {
		t.Fatalf("%+v: the file grows by %d B, of which %d were counted and %d are tables", s, r.Added, f.WeightBytes, tables)
	}
	return r.Added, tables
}

// A weight that is cut into pieces is not stored twice: the file of a real network grows by
// one piece of it, and by tables.
func TestGrowth(t *testing.T) {
	for _, name := range []string{
		"micro/person_detect", "micro/ad01_fp32", "nets/mcunet-320kb-1mb_imagenet", "nets/mobilenet_v1_0.25_128_quant",
	} {
		m := open(t, name)
		runs, grown, stored := 0, int64(0), int64(0)
		for r := range split.ChannelRuns(m, 0) {
			if runs++; r.First != r.Last || r.Most < 8 {
				continue
			}
			s := split.Stage{First: r.First, Last: r.Last, Rows: 1, Columns: 1, Channels: 8}
			f, err := split.Cut(m, s, len(m.Subgraphs[0].Tensors))
			if err != nil {
				t.Fatalf("%s %+v: %v", name, s, err)
			}
			largest := map[int]int64{}
			for _, e := range f.Tensors {
				if e.Like >= 0 && e.Data != nil {
					stored += int64(len(e.Data))
					largest[e.Like] = max(largest[e.Like], int64(len(e.Data)))
				}
			}
			added, tables := checkGrowth(t, m, s, f)
			added -= tables
			for _, n := range largest {
				added -= n
			}
			// Pieces that are hardly larger than what aligns them take more.
			if most := int64(16 * 8 * len(largest)); added > most {
				t.Errorf("%s %+v: the file grows by %d B more than a piece of each constant", name, s, added)
			}
			grown += f.WeightBytes
		}
		if t.Logf("%s: %d B counted for weights of %d", name, grown, stored); grown*3 > stored {
			t.Errorf("%s: the files grow by %d B for weights of %d", name, grown, stored)
		}
	}
}

// layers is a network of fully connected layers from tensor 0 to tensor 2, one after
// another. Each has its own weights in tensors 3 and 4, of 32 times 32 bytes.
func layers() encode.Model {
	tensor := func(buffer int, shape ...int32) encode.Tensor {
		return encode.Tensor{Name: "t", Type: schema.TensorTypeINT8, Shape: shape, Buffer: buffer, Quantization: encode.Quantization{Scales: []float32{1}, Zeros: []int64{0}}}
	}
	op := func(in, weights, out int) encode.Operator {
		return encode.Operator{
			Builtin: schema.BuiltinOperatorFULLY_CONNECTED, Version: 4, Inputs: []int{in, weights, -1}, Outputs: []int{out},
			OptionsType: schema.BuiltinOptionsFullyConnectedOptions,
			Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
				schema.FullyConnectedOptionsStart(b)
				return schema.FullyConnectedOptionsEnd(b)
			},
		}
	}
	return encode.Model{
		Subgraphs: []encode.Subgraph{{
			Inputs: []int{0}, Outputs: []int{2},
			Tensors:   []encode.Tensor{tensor(0, 1, 32), tensor(0, 1, 32), tensor(0, 1, 32), tensor(1, 32, 32), tensor(2, 32, 32)},
			Operators: []encode.Operator{op(0, 3, 1), op(1, 4, 2)},
		}},
		Buffers: []encode.Buffer{{Data: bytes.Repeat([]byte{1, 2, 3}, 342)[:1024]}, {Data: bytes.Repeat([]byte{4, 5, 6}, 342)[:1024]}},
	}
}

// A constant that something outside the stage uses too stays whole, and all its pieces are
// new bytes.
func TestGrowthShared(t *testing.T) {
	for what, test := range map[string]struct {
		change func(*encode.Model)
		bytes  int64
	}{
		"own": {func(*encode.Model) {}, 256},
		"another operator's too": {func(m *encode.Model) {
			m.Subgraphs[0].Operators[1].Inputs[1] = 3
		}, 1024},
		"another tensor's buffer": {func(m *encode.Model) { m.Subgraphs[0].Tensors[4].Buffer = 1 }, 1024},
		"an output":               {func(m *encode.Model) { m.Subgraphs[0].Outputs = []int{2, 3} }, 1024},
		"metadata": {func(m *encode.Model) {
			m.Metadata = append(m.Metadata, encode.Metadata{Name: "any", Buffer: 1})
		}, 1024},
		"another subgraph's": {func(m *encode.Model) {
			m.Subgraphs = append(m.Subgraphs, encode.Subgraph{Tensors: slices.Clone(m.Subgraphs[0].Tensors[3:4])})
		}, 1024},
	} {
		source := layers()
		test.change(&source)
		m, err := tflite.Parse(encode.Encode(source), what)
		if err != nil {
			t.Fatal(err)
		}
		s := split.Stage{Rows: 1, Columns: 1, Channels: 4}
		f, err := split.Cut(m, s, len(m.Subgraphs[0].Tensors))
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if want := test.bytes + 4*16; f.WeightBytes != want {
			t.Errorf("%s: %d B, not %d", what, f.WeightBytes, want)
		}
		if added, _ := checkGrowth(t, m, s, f); added < test.bytes {
			t.Errorf("%s: the file grows by %d B", what, added)
		}
	}
}

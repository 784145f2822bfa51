package encode_test

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestLast: data at the end is read like any other, aligned, after all tables.
func TestLast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		wanted := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 1, 70), 1, 6).Draw(t, "buffers")
		var m encode.Model
		var sub encode.Subgraph
		var last []bool
		for i, data := range wanted {
			b := encode.Buffer{Data: data}
			if rapid.Bool().Draw(t, "last") {
				b = encode.Buffer{Last: int64(len(data)), Fill: func(zeros []byte) { copy(zeros, data) }}
			}
			m.Buffers = append(m.Buffers, b)
			last = append(last, b.Last > 0)
			sub.Tensors = append(sub.Tensors, encode.Tensor{Type: schema.TensorTypeUINT8, Shape: []int32{int32(len(data))}, Buffer: i + 1})
		}
		m.Subgraphs = []encode.Subgraph{sub}
		parsed, err := tflite.Parse(encode.Encode(m), "drawn")
		if err != nil {
			t.Fatal(err)
		}
		if len(parsed.Warnings) > 0 {
			t.Errorf("warnings %v", parsed.Warnings)
		}
		for i, want := range wanted {
			b := parsed.Buffers[i+1]
			if !bytes.Equal(b.Data, want) || b.Outside || b.Offset%16 != 0 {
				t.Errorf("buffer %d at %d, outside: %t: %v, want %v", i+1, b.Offset, b.Outside, b.Data, want)
			}
			for j := range wanted {
				if last[i] && !last[j] && b.Offset < parsed.Buffers[j+1].Offset {
					t.Errorf("buffer %d comes before buffer %d", i+1, j+1)
				}
			}
		}
	})
}

// TestLastWithoutFill leaves zeros.
func TestLastWithoutFill(t *testing.T) {
	m := encode.Model{Subgraphs: []encode.Subgraph{{}}, Buffers: []encode.Buffer{{Last: 5}}}
	parsed, err := tflite.Parse(encode.Encode(m), "zeros")
	if err != nil {
		t.Fatal(err)
	}
	if got := parsed.Buffers[1].Data; !bytes.Equal(got, make([]byte, 5)) {
		t.Errorf("data %v", got)
	}
}

// TestQuantizationOnce: equal tables that may be shared are written once, unequal ones are not.
func TestQuantizationOnce(t *testing.T) {
	q := encode.Quantization{Scales: []float32{1, 2}, Zeros: []int64{0, 0}, Once: true}
	other := q
	other.Dimension = 1
	size := func(qs ...encode.Quantization) int {
		var sub encode.Subgraph
		for _, q := range qs {
			sub.Tensors = append(sub.Tensors, encode.Tensor{Quantization: q})
		}
		return len(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{sub}}))
	}
	if one, two := size(q, q), size(q, other); one >= two {
		t.Errorf("equal tables take %d bytes, unequal ones %d", one, two)
	}
	plain := q
	plain.Once = false
	if once, twice := size(q, q), size(plain, plain); once >= twice {
		t.Errorf("written once, tables take %d bytes, and written twice %d", once, twice)
	}
}

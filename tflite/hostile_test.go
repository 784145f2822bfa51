package tflite

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
)

// A words is a file written by hand, as 32-bit words.
type words []uint32

func (w words) bytes() []byte {
	var out []byte
	for _, x := range w {
		out = binary.LittleEndian.AppendUint32(out, x)
	}
	return out
}

// header is a root table at word 5 with only a vector of subgraphs, whose length is word 7: its
// vtable has 10 bytes, from the middle of word 2.
func header() words {
	return words{20, 0x334c4654, 10 << 16, 8, 4 << 16, 10, 4}
}

// A claim of four billion elements costs nothing.
func TestHugeClaims(t *testing.T) {
	for _, d := range damages() {
		data := d.apply(t)
		if got := allocated(data); got > 1<<20 {
			t.Errorf("%s: %d B were allocated for %d B", d.name, got, len(data))
		}
	}
}

// A subgraph shared by many references is decoded once per reference, including its tensors;
// the file is rejected before that grows far beyond its size.
func TestSharedSubgraphs(t *testing.T) {
	const n = 20_000
	data := shared(n).bytes()
	_, err := parse(data, "shared")
	if err == nil || !strings.Contains(err.Error(), "share so much") {
		t.Errorf("error %v", err)
	}
	if got := allocated(data); got > 64<<20 {
		t.Errorf("%d B were allocated for %d B", got, len(data))
	}
}

// Many operators of one code with a very long name would fill reports with it.
func TestSharedOperatorName(t *testing.T) {
	operators := func(name, n int) []byte {
		list, custom := make([]encode.Operator, n), strings.Repeat("x", name)
		for i := range list {
			list[i].Custom = custom
		}
		return encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{{Operators: list}}})
	}
	if _, err := parse(operators(100_000, 20_000), "long"); err == nil || !strings.Contains(err.Error(), "share so much") {
		t.Errorf("error %v", err)
	}
	if _, err := parse(operators(60, 20_000), "honest"); err != nil {
		t.Errorf("honest names: %v", err)
	}
}

// A few shared subgraphs are accepted like copies.
func TestFewSharedSubgraphs(t *testing.T) {
	m, err := parse(shared(3).bytes(), "shared")
	if err != nil {
		t.Fatal(err)
	}
	checkLaws(t, m)
	if len(m.Subgraphs) != 3 || len(m.Subgraphs[2].Tensors) != 3 {
		t.Errorf("%d subgraphs with %d tensors", len(m.Subgraphs), len(m.Subgraphs[2].Tensors))
	}
}

// shared returns a model of n references to one subgraph, which has n references to one empty
// tensor table.
func shared(n int) words {
	w := append(header(), uint32(n))
	table := 4 * (len(w) + n + 2) // after the vector and the subgraph's vtable
	for range n {
		w = append(w, uint32(table-4*len(w)))
	}
	// A vtable of 6 bytes that has the tensors at 4, and padding; then the subgraph.
	w = append(w, 8<<16|6, 4)
	w = append(w, 8, 4, uint32(n))
	tensor := 4 * (len(w) + n + 1) // after the vector and the tensor's vtable
	for range n {
		w = append(w, uint32(tensor-4*len(w)))
	}
	return append(w, 4<<16|4, 4)
}

// Overlapping vectors, each starting one word after the last, would take time quadratic in the
// size of the file.
func TestOverlappingVectors(t *testing.T) {
	// As an element, the word refers to a table in the same area, whose vtable is the word
	// itself: 4 bytes, for a table of 4 bytes. As a length, it is in bounds.
	const word, n = 4<<16 | 4, 20_000
	w := append(header(), n)
	table := 4 * (len(w) + n + 2)
	for i := range n {
		w = append(w, uint32(table+8*i-4*len(w)))
	}
	w = append(w, 8<<16|6, 4)
	area := len(w) + 2*n
	for i := range n {
		w = append(w, uint32(8+8*i), uint32(4*(area+i-len(w)-1)))
	}
	for range word + n + word/4 + 1 {
		w = append(w, word)
	}
	_, err := parse(w.bytes(), "overlap")
	if err == nil || !strings.Contains(err.Error(), "overlap or share too much") {
		t.Errorf("error %v", err)
	}
}

// The zero byte of a string may be the last of the file, but must exist.
func TestStringAtTheEnd(t *testing.T) {
	// The vtable starts at byte 10 and puts the description at 4, the subgraphs at 8; the root
	// is word 7. Then one subgraph, preceded by its empty vtable, and a string.
	w := words{28, 0x334c4654, 12 << 16, 12, 8 << 16, 4, 0, 18, 24, 4, 1, 8, 4<<16 | 4, 4, 4}
	good := append(w.bytes(), "name\x00"...)
	if m, err := parse(good, "good"); err != nil || m.Description != "name" || m.FlatbufferEnd != int64(len(good)) {
		t.Fatalf("model %+v, error %v", m, err)
	}
	_, err := parse(good[:len(good)-1], "cut")
	if err == nil || !strings.Contains(err.Error(), "no zero byte") {
		t.Errorf("error %v", err)
	}
}

// Calls that branch in two at every level are accepted like a chain; a cycle or a chain too
// long for recursion is rejected.
func TestCalls(t *testing.T) {
	chain := func(n int) func(int) (int32, int32, bool) {
		return func(i int) (int32, int32, bool) { return int32(i + 1), int32(i + 1), i+1 < n }
	}
	backwards := func(i int) (int32, int32, bool) { return int32(i - 1), int32(i - 1), i > 0 }
	for name, c := range map[string]struct {
		n    int
		next func(int) (int32, int32, bool)
		want string
	}{
		"branching":          {200, chain(200), ""},
		"deepest":            {maxCallDepth, chain(maxCallDepth), ""},
		"too deep":           {maxCallDepth + 1, chain(maxCallDepth + 1), "too deeply"},
		"backwards":          {maxCallDepth, backwards, ""},
		"too deep backwards": {maxCallDepth + 1, backwards, "too deeply"},
		"itself":             {1, func(int) (int32, int32, bool) { return 0, 0, true }, "circle: 0 -> 0"},
		"long circle":        {20, func(i int) (int32, int32, bool) { return int32((i + 1) % 20), 0, true }, "circle"},
	} {
		_, err := parse(encode.Encode(calls(c.n, c.next)), name)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

// The warnings stay readable for any file.
func TestManyWarnings(t *testing.T) {
	m := small()
	for range 1000 {
		m.Subgraphs[1].Tensors = append(m.Subgraphs[1].Tensors, encode.Tensor{Type: 100})
	}
	got, err := parse(encode.Encode(m), "warnings")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(got.Warnings); n != maxWarnings+1 || got.Warnings[n-1].Text != "900 more warnings" {
		t.Errorf("%d warnings, the last is %v", n, got.Warnings[n-1])
	}
}

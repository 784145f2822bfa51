package tflite

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/encode"
)

// archive returns a zip archive whose offsets count from base, with a comment.
func archive(t *testing.T, base int64, comment string, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.SetOffset(base)
	if err := w.SetComment(comment); err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(strings.Repeat(name, 9))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTrailing(t *testing.T) {
	zipped := archive(t, 0, "", "labels.txt")
	for name, c := range map[string]struct {
		tail string
		want []string
	}{
		"nothing":         {"", nil},
		"zero bytes":      {"\x00\x00\x00", []string{"padding"}},
		"zip":             {zipped, []string{"zip"}},
		"zip, absolute":   {archive(t, 4096, "", "a", "b"), []string{"zip"}},
		"zip, comment":    {archive(t, 0, "a comment", "a"), []string{"zip"}},
		"zip, empty":      {archive(t, 4096, ""), []string{"zip"}},
		"zip, aligned":    {"\x00\x00" + zipped, []string{"padding", "zip"}},
		"zip, padded":     {zipped + "\x00\x00", []string{"zip", "padding"}},
		"zip, more":       {zipped + "more", []string{"zip", "unknown"}},
		"zip, cut":        {zipped[:len(zipped)-1], []string{"unknown"}},
		"zip, no catalog": {zipLocalHeader + zipped[len(zipped)-22:], []string{"unknown"}},
		"zip, signature":  {zipLocalHeader, []string{"unknown"}},
		"unknown":         {"\x00something", []string{"unknown"}},
		"unknown, zip":    {"something" + zipped, []string{"unknown"}},
	} {
		source := small()
		source.Tail = []byte(c.tail)
		m, err := parse(encode.Encode(source), name)
		if err != nil {
			t.Fatal(err)
		}
		checkLaws(t, m)
		if diff := cmp.Diff(c.want, kinds(m, len(c.tail))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// kinds returns the kinds of the trailing ranges of a tail of n bytes, without the
// padding that the encoder puts in front of it.
func kinds(m *Model, n int) (out []string) {
	for _, r := range m.Trailing {
		if r.End > int64(len(m.Data)-n) {
			out = append(out, r.Kind)
		}
	}
	return out
}

// Constants at absolute offsets are found, and named in the trailing ranges.
func TestAbsoluteOffsets(t *testing.T) {
	source := small()
	plain := encode.Encode(source)
	at := uint64(len(plain) + 64)
	source.Buffers[0] = encode.Buffer{Offset: at, Size: 16}
	source.Buffers[1] = encode.Buffer{Offset: 1, Size: 99} // 1 means none
	data := encode.Encode(source)
	data = append(data, bytes.Repeat([]byte{0}, int(at)+16-len(data))...)
	data[at] = 42
	m, err := parse(data, "absolute")
	if err != nil {
		t.Fatal(err)
	}
	checkLaws(t, m)
	b := m.Buffers[1]
	if !b.Outside || b.Offset != int64(at) || len(b.Data) != 16 || b.Data[0] != 42 {
		t.Errorf("buffer 1 is %+v", b)
	}
	if !m.Subgraphs[0].Tensors[1].Constant || m.Subgraphs[0].Tensors[4].Constant {
		t.Error("the wrong tensor is constant")
	}
	last := m.Trailing[len(m.Trailing)-1]
	if last != (Range{int64(at), int64(at) + 16, "buffer"}) {
		t.Errorf("the last range is %v", last)
	}
}

// Whatever ranges a model names, overlapping or not, what follows the flatbuffer is
// covered once.
func TestTrailingCovers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(rapid.StringMatching(`([\x00ab]|PK\x03\x04|PK\x05\x06){0,40}`).Draw(t, "data"))
		n := int64(len(data))
		var named []Range
		for range rapid.IntRange(0, 4).Draw(t, "ranges") {
			start := rapid.Int64Range(0, n).Draw(t, "start")
			end := rapid.Int64Range(start, n).Draw(t, "end")
			if start < end {
				named = append(named, Range{start, end, "buffer"})
			}
		}
		end := rapid.Int64Range(0, n).Draw(t, "flatbuffer")
		checkTrailing(t, &Model{Data: data, FlatbufferEnd: end, Trailing: trailing(data, end, named)})
	})
}

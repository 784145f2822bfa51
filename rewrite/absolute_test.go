package rewrite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Constants behind the flatbuffer move along, those that share a table once.
func TestAbsoluteBuffers(t *testing.T) {
	tail := bytes.Repeat([]byte{3, 1, 4, 1}, 4)
	data := sample.Behind(func(at uint64) encode.Model {
		m := sample.Chain()
		m.Buffers[0] = encode.Buffer{Offset: at, Size: 16}
		m.Buffers = append(m.Buffers, encode.Buffer{Offset: at + 4, Size: 8}, encode.Buffer{Offset: 1, Size: 8}, encode.Buffer{Offset: 1 << 62, Size: 0})
		return m
	}, tail)
	// Let the vector of buffers refer to the first one's table twice.
	r := patch.RootOf(modelfile.Parse(t, data))
	pos, _ := r.Vector(patch.FieldBuffers)
	patch.Output(data).Refer(pos+4+4*3, r.Targets(patch.FieldBuffers)[1])

	m := modelfile.Parse(t, data)
	res, out := embed(t, m, sample.ChainPlan)
	for _, i := range []int{1, 3} {
		if !out.Buffers[i].Outside || !bytes.Equal(out.Buffers[i].Data, tail) {
			t.Errorf("buffer %d: %+v", i, out.Buffers[i])
		}
	}
	var b schema.Buffer
	root := schema.GetRootAsModel(out.Data, 0)
	root.Buffers(&b, 4)
	if b.Offset() != 1 {
		t.Errorf("an offset of 1, which means none, became %d", b.Offset())
	}
	root.Buffers(&b, 5)
	if b.Offset() != 1<<62 {
		t.Errorf("an offset outside the file became %d", b.Offset())
	}
	sample.SameContent(t, m, out, res.Added)
	if back := remove(t, out); !bytes.Equal(back.Data, data) {
		t.Error("removing the plan does not restore the file")
	}
}

func TestLargeCustomOptions(t *testing.T) {
	size := uint64(len(sample.LargeOptions(1 << 20)))
	data := append(sample.LargeOptions(size), "options!"...)
	m := modelfile.Parse(t, data)
	if m.Trailing[len(m.Trailing)-1].Kind != "custom options" {
		t.Fatalf("trailing %v", m.Trailing)
	}
	r, out := embed(t, m, nil)
	op := out.Subgraphs[0].Operators[0].Table()
	at := op.LargeCustomOptionsOffset()
	if at != size+uint64(r.Added) || string(out.Data[at:at+8]) != "options!" {
		t.Errorf("the options are at %d", at)
	}
	if back := remove(t, out); !bytes.Equal(back.Data, data) {
		t.Error("removing the plan does not restore the file")
	}
}

// A position that leads behind the end of the file would lead to something in a longer
// one. Such a file is refused, whatever is forced, and one that leads far enough is not.
func TestPositionBehindEnd(t *testing.T) {
	size := uint64(len(sample.LargeOptions(1 << 20)))
	buffer := func(at uint64) []byte {
		m := sample.Chain()
		m.Buffers = append(m.Buffers, encode.Buffer{Offset: at, Size: 0})
		return encode.Encode(m)
	}
	bufferSize := uint64(len(buffer(1 << 20)))
	options := func(at uint64) []byte {
		data := sample.LargeOptions(at)
		var s schema.SubGraph
		var op schema.Operator
		schema.GetRootAsModel(data, 0).Subgraphs(&s, 0)
		if s.Operators(&op, 0); !op.MutateLargeCustomOptionsSize(0) {
			t.Fatal("the options have no size")
		}
		return data
	}
	for _, c := range []struct {
		name    string
		data    []byte
		refused bool
	}{
		{"options just behind", options(size + 1), true},
		{"options far behind", options(1 << 40), false},
		{"buffer just behind", buffer(bufferSize + 1), true},
		{"buffer at the end", buffer(bufferSize), false},
		{"buffer far behind", buffer(1 << 40), false},
	} {
		m := modelfile.Parse(t, c.data)
		for _, force := range []bool{false, true} {
			_, err := Embed(m, sample.Online(m), Options{Force: force})
			refused := (*RefusedError)(nil)
			if errors.As(err, &refused) != c.refused || !c.refused && err != nil {
				t.Errorf("%s: error %v", c.name, err)
			}
			if c.refused && (refused == nil || refused.Force || !strings.Contains(refused.Reason, "behind the end of the file")) {
				t.Errorf("%s: error %v", c.name, err)
			}
		}
	}
}

// A zip archive behind the model opens as before: also by readers that trust its
// positions, where they counted from the start of the file.
func TestZip(t *testing.T) {
	source := sample.Chain()
	size := int64(len(encode.Encode(source)))
	for _, c := range []struct {
		name       string
		tail       []byte
		fromFile   bool
		zeroBefore int
	}{
		{"from the file", sample.Archive(t, size), true, 0},
		{"from the archive", sample.Archive(t, 0), false, 0},
		{"behind padding", append(make([]byte, 5), sample.Archive(t, size+5)...), true, 5},
		{"without files", emptyArchive(size), true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			source.Tail = c.tail
			m := modelfile.Build(t, source)
			r, out := embed(t, m, sample.ChainPlan)
			sample.CheckZip(t, m.Data, out.Data)
			end := bytes.LastIndex(out.Data, []byte("PK\x05\x06"))
			directory := int64(binary.LittleEndian.Uint32(out.Data[end+16:]))
			length := int64(binary.LittleEndian.Uint32(out.Data[end+12:]))
			if c.fromFile && directory != int64(end)-length {
				t.Errorf("the directory is at %d, the end record says %d", int64(end)-length, directory)
			}
			if c.fromFile && length > 0 {
				local := binary.LittleEndian.Uint32(out.Data[directory+42:])
				if !bytes.HasPrefix(out.Data[local:], []byte("PK\x03\x04")) {
					t.Errorf("no file begins at %d", local)
				}
			}
			if !c.fromFile && !bytes.Equal(out.Data[r.Added:], m.Data) {
				t.Error("the archive changed, though nothing in it counts from the file")
			}
			if back := remove(t, out); !bytes.Equal(back.Data, m.Data) {
				t.Error("removing the plan does not restore the file")
			}
		})
	}
}

func emptyArchive(at int64) []byte {
	end := append([]byte("PK\x05\x06"), make([]byte, 18)...)
	binary.LittleEndian.PutUint32(end[16:], uint32(at))
	return end
}

// Archives whose positions cannot be carried over are refused; force leaves them.
func TestZipRefused(t *testing.T) {
	source := sample.Chain()
	size := int64(len(encode.Encode(source)))
	good := sample.Archive(t, size)
	end := bytes.LastIndex(good, []byte("PK\x05\x06"))
	first := end - int(binary.LittleEndian.Uint32(good[end+12:]))
	for _, c := range []struct {
		name, want string
		spoil      func([]byte)
	}{
		{"zip64", "zip64", func(b []byte) { binary.LittleEndian.PutUint32(b[end+16:], 1<<32-1) }},
		{"parts", "several", func(b []byte) { b[end+4] = 1 }},
		{"directory", "directory at", func(b []byte) { binary.LittleEndian.PutUint32(b[end+16:], 1<<30) }},
		{"begins before itself", "neither it nor the file begins", func(b []byte) { binary.LittleEndian.PutUint32(b[end+16:], uint32(first)+1) }},
		{"too many entries", "no directory entry", func(b []byte) { b[end+10] = 3 }},
		{"too few entries", "does not fill", func(b []byte) { b[end+10] = 1 }},
		{"entry leads nowhere", "where no file begins", func(b []byte) { b[first+42]++ }},
		{"entry leads behind the end", "where no file begins", func(b []byte) { binary.LittleEndian.PutUint32(b[first+42:], 1<<31) }},
		{"long name", "no directory entry", func(b []byte) { b[first+29] = 255 }},
	} {
		tail := bytes.Clone(good)
		c.spoil(tail)
		source.Tail = tail
		m := modelfile.Build(t, source)
		if k := m.Trailing[len(m.Trailing)-1].Kind; k != "zip" {
			t.Fatalf("%s: the tail is %s", c.name, k)
		}
		wantRefusal(t, c.name, m, c.want)
	}
}

// wantRefusal fails unless a plan is refused for a reason that force overrides.
func wantRefusal(t *testing.T, name string, m *tflite.Model, want string) {
	t.Helper()
	_, err := Embed(m, sample.Online(m), Options{})
	var refused *RefusedError
	if !errors.As(err, &refused) || !refused.Force || !strings.Contains(refused.Reason, want) {
		t.Errorf("%s: error %v, want %q", name, err, want)
	}
	r, err := Embed(m, sample.Online(m), Options{Force: true})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if !bytes.HasSuffix(r.Data, m.Data) {
		t.Errorf("%s: forced, but not left alone", name)
	}
	if said := r.Changes[len(r.Changes)-1]; !strings.Contains(said, want) {
		t.Errorf("%s: the last change is %q", name, said)
	}
	if back := remove(t, modelfile.Parse(t, r.Data)); !bytes.Equal(back.Data, m.Data) {
		t.Errorf("%s: removing the plan does not restore the file", name)
	}
}

// Bytes that nothing accounts for stay behind only when nobody may know where they
// are.
func TestVendorBlob(t *testing.T) {
	blob := []byte("vendor's byte code")
	plain := sample.Chain()
	plain.Tail = blob
	embed(t, modelfile.Build(t, plain), sample.ChainPlan)

	custom := sample.Chain()
	custom.Tail = blob
	custom.Subgraphs[0].Operators[1].Custom = "DISPATCH_OP"
	wantRefusal(t, "custom operator", modelfile.Build(t, custom), "DISPATCH_OP")

	metadata := sample.Chain()
	metadata.Tail = blob
	metadata.Metadata = append(metadata.Metadata, encode.Metadata{Name: "NPU_BYTE_CODE", Buffer: 2})
	wantRefusal(t, "metadata", modelfile.Build(t, metadata), "NPU_BYTE_CODE")

	// Nothing moves when there is room.
	r, _ := embed(t, modelfile.Build(t, sample.WithPlan(custom, encodePlan(0, make([]int32, 5)))), sample.ChainPlan)
	if r.Method != InPlace {
		t.Errorf("with room: %s", r.Method)
	}
	custom.Tail = nil
	embed(t, modelfile.Build(t, custom), sample.ChainPlan)
}

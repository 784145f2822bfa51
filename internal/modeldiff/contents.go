package modeldiff

import (
	"bytes"
	"encoding/binary"

	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// contents compares blobs of two files. In a hostile file any number of blobs share their bytes, so
// each pair is compared once, and the total is limited to the size of the files plus an allowance for
// normal sharing.
type contents struct {
	results map[[2]blob]bool
	budget  int64
}

// A blob is identified by its first byte and its length.
type blob struct {
	first *byte
	bytes int
}

func newContents(a, b *tflite.Model) contents {
	const sharing = 4
	return contents{map[[2]blob]bool{}, sharing * int64(len(a.Data)+len(b.Data))}
}

// same reports whether blobs are equal. Beyond the limit, blobs count as different.
func (c *contents) same(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	if len(a) == 0 {
		return true
	}
	pair := [2]blob{{&a[0], len(a)}, {&b[0], len(b)}}
	same, known := c.results[pair]
	if !known {
		if c.budget -= int64(len(a)); c.budget < 0 {
			return false
		}
		same = bytes.Equal(a, b)
		c.results[pair] = same
	}
	return same
}

// sameOptions compares the numeric options of operators. Options that refer to lists and tables, are
// newer than the schema or are damaged, are compared by type only.
func (m *matching) sameOptions(x, y *tflite.Operator) bool {
	s, t := x.Table(), y.Table()
	if s.BuiltinOptionsType() != t.BuiltinOptionsType() || s.BuiltinOptions2Type() != t.BuiltinOptions2Type() || x.Damaged != y.Damaged {
		return false
	}
	if !m.contents.same(s.CustomOptionsBytes(), t.CustomOptionsBytes()) || !m.contents.same(largeOptions(m.a, &s), largeOptions(m.b, &t)) {
		return false
	}
	tag := s.BuiltinOptionsType()
	switch tag {
	case schema.BuiltinOptionsReshapeOptions:
		var p, q schema.ReshapeOptions
		return x.Options(tag, &p) == y.Options(tag, &q) && slices.Equal(newShape(&p), newShape(&q))
	case schema.BuiltinOptionsSqueezeOptions, schema.BuiltinOptionsVarHandleOptions, schema.BuiltinOptionsBucketizeOptions:
		return true
	}
	var p, q numbers
	return x.Options(tag, &p) == y.Options(tag, &q) && p.equal(&q)
}

// largeOptions returns custom options stored after the flatbuffer.
func largeOptions(m *tflite.Model, o *schema.Operator) []byte {
	from, size := o.LargeCustomOptionsOffset(), o.LargeCustomOptionsSize()
	if n := uint64(len(m.Data)); from <= 1 || from > n || size > n-from {
		return nil
	}
	return m.Data[from : from+size]
}

func newShape(o *schema.ReshapeOptions) []int32 {
	if o.Table().Bytes == nil {
		return nil
	}
	list := make([]int32, o.NewShapeLength())
	for i := range list {
		list[i] = o.NewShape(i)
	}
	return list
}

// numbers is an option table of numbers only, read without its schema.
type numbers struct{ table flatbuffers.Table }

// Init implements flatbuffers.FlatBuffer.
func (n *numbers) Init(data []byte, at flatbuffers.UOffsetT) {
	n.table = flatbuffers.Table{Bytes: data, Pos: at}
}

// Table implements flatbuffers.FlatBuffer.
func (n *numbers) Table() flatbuffers.Table { return n.table }

// maxFields exceeds the fields of any option table. A huge unused one, shared by many operators, would
// cost its size each time.
const maxFields = 64

func (n *numbers) equal(o *numbers) bool {
	a, b := n.fields(), o.fields()
	for i := range max(len(a), len(b)) {
		if fieldAt(a, i) != fieldAt(b, i) {
			return false
		}
	}
	return true
}

// fieldAt returns a field, zero past the end of the table.
func fieldAt(fields []uint64, i int) uint64 {
	if i < len(fields) {
		return fields[i]
	}
	return 0
}

// fields returns the fields of a verified table as unsigned numbers, 0 for missing ones. The size of a
// field is derived from the next one: the padding between them is zero.
func (n *numbers) fields() []uint64 {
	data, pos := n.table.Bytes, int64(n.table.Pos)
	if data == nil {
		return nil
	}
	vtable := pos - int64(int32(binary.LittleEndian.Uint32(data[pos:])))
	word := func(i int64) int64 { return int64(binary.LittleEndian.Uint16(data[vtable+2*i:])) }
	count := min(max(word(0)/2-2, 0), maxFields)
	starts := []int64{word(1)} // and the end of the table
	for i := range count {
		starts = append(starts, word(2+i))
	}
	sorted := slices.Clone(starts)
	slices.Sort(sorted)
	list := make([]uint64, count)
	for i := range list {
		from := starts[i+1]
		if from == 0 {
			continue
		}
		next, _ := slices.BinarySearch(sorted, from+1)
		to := from + 8
		if next < len(sorted) {
			to = min(to, sorted[next])
		}
		for k := min(pos+to, int64(len(data))) - 1; k >= pos+from; k-- {
			list[i] = list[i]<<8 | uint64(data[k])
		}
	}
	return list
}

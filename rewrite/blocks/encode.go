package blocks

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tflarena/tflarena/internal/units"
)

// maxBytes is the maximum size of a record.
const maxBytes = 1 << 20

// Encode returns the bytes of a record, or an error if they exceed what [Read] accepts.
func (r *Record) Encode() ([]byte, error) {
	e := encoder{Version}
	e.add(len(r.Blocks))
	for i := range r.Blocks {
		e.block(&r.Blocks[i])
	}
	if len(e) > maxBytes {
		return nil, fmt.Errorf("the record of tiled blocks would have %s, more than %s", units.ExactBytes(len(e)), units.ExactBytes(int64(maxBytes)))
	}
	return e, nil
}

// encoder appends numbers as [binary.AppendUvarint] does.
type encoder []byte

func (e *encoder) add(numbers ...int) {
	for _, n := range numbers {
		*e = binary.AppendUvarint(*e, uint64(n))
	}
}

func (e *encoder) block(b *Block) {
	e.add(b.Subgraph, len(b.Originals))
	for _, o := range b.Originals {
		e.add(o.Tensor, len(o.Shape))
		for _, d := range o.Shape {
			e.add(int(d))
		}
	}
	e.add(len(b.Operators))
	for _, o := range b.Operators {
		same := 0
		if o.Same {
			same = 1
		}
		e.add(o.Code, same, o.Output, len(o.Inputs))
		for _, t := range o.Inputs {
			e.add(t + 1)
		}
	}
	e.add(b.First, len(b.Tiles))
	for _, t := range b.Tiles {
		e.add(t.Original + 1)
		if t.Original >= 0 {
			*e = binary.AppendUvarint(*e, uint64(t.Start))
		}
	}
}

// parse decodes a record, or describes what is wrong with it.
func parse(data []byte, tensors int) (*Record, string) {
	if len(data) > maxBytes {
		return nil, fmt.Sprintf("it has %s, more than %s", units.ExactBytes(len(data)), units.ExactBytes(int64(maxBytes)))
	}
	d := &decoder{data: data, tensors: tensors}
	if version := d.number(math.MaxInt64); version != Version && d.problem == "" {
		return nil, fmt.Sprintf("it has version %d, and only version %d is known", version, Version)
	}
	r := &Record{Blocks: list(d, d.block)}
	if d.problem == "" && len(d.data) > 0 {
		d.problem = fmt.Sprintf("%s follow its end", units.ExactBytes(len(d.data)))
	}
	return r, d.problem
}

// decoder consumes numbers from data. After the first problem it returns zeros.
type decoder struct {
	data    []byte
	problem string
	// tensors is the number of tensors in the model, which limits the length of every list.
	tensors int
}

// number returns the next number, which must be at most limit.
func (d *decoder) number(limit int64) int64 {
	if d.problem != "" {
		return 0
	}
	n, width := binary.Uvarint(d.data)
	switch {
	case width == 0:
		d.problem = "it ends too early"
	case width < 0 || limit < 0 || n > uint64(limit):
		d.problem = fmt.Sprintf("it has a number above %d, %s before its end", limit, units.ExactBytes(len(d.data)))
	default:
		d.data = d.data[width:]
		return int64(n)
	}
	return 0
}

// index returns the next number, which must be at most limit.
func (d *decoder) index(limit int) int { return int(d.number(int64(limit))) }

// list returns the elements after their count, or nil after a problem. Each element takes at
// least one byte, and no list is longer than the model has tensors.
func list[T any](d *decoder, element func() T) (all []T) {
	for range d.index(min(len(d.data), d.tensors)) {
		x := element()
		if d.problem != "" {
			return nil
		}
		all = append(all, x)
	}
	return all
}

func (d *decoder) block() (b Block) {
	b.Subgraph = d.index(math.MaxInt32)
	b.Originals = list(d, func() Original {
		return Original{Tensor: d.index(math.MaxInt32), Shape: list(d, func() int32 { return int32(d.index(math.MaxInt32)) })}
	})
	b.Operators = list(d, func() Operator {
		o := Operator{Code: d.index(math.MaxInt32), Same: d.index(1) == 1, Output: d.index(len(b.Originals) - 1)}
		o.Inputs = list(d, func() int { return d.index(math.MaxInt32) - 1 })
		return o
	})
	b.First = d.index(math.MaxInt32)
	b.Tiles = list(d, func() Tile {
		t := Tile{Original: d.index(len(b.Originals)) - 1}
		if t.Original >= 0 {
			t.Start = d.number(math.MaxInt64)
		}
		return t
	})
	return b
}

package restore

import (
	"bytes"
	"cmp"
	"errors"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// constant joins the data of the tiles of an original, and returns the tiles in order, which hold
// the quantisation too. Of more than room bytes, or with tiles that have most elements several times, it
// is not one that was tiled: where it was whole, it took as many bytes of the file.
func (b *block) constant(original int, room int64) (data []byte, tiles []int, err error) {
	whole := b.Originals[original]
	t := tflite.Tensor{Type: b.sub.Tensors[whole.Tensor].Type, Shape: whole.Shape}
	size, sized := t.PackedBytes()
	element := int64(tflite.ElementBits(t.Type) / 8)
	stored := int64(0)
	for i, tile := range b.Tiles {
		if tile.Original == original {
			tiles = append(tiles, b.First+i)
			stored += int64(len(b.model.Buffer(&b.sub.Tensors[b.First+i]).Data))
		}
	}
	if !sized || size == 0 || size > room || element == 0 || stored < size || stored/2 > size {
		return nil, nil, errLost
	}
	data = make([]byte, size)
	filled := make([]bool, size/element)
	for _, i := range tiles {
		if err := fill(data, filled, b.model, &b.sub.Tensors[i], whole.Shape, b.Tiles[i-b.First].Start); err != nil {
			return nil, nil, err
		}
	}
	if slices.Contains(filled, false) {
		return nil, nil, errLost
	}
	slices.SortStableFunc(tiles, func(i, j int) int { return cmp.Compare(b.Tiles[i-b.First].Start, b.Tiles[j-b.First].Start) })
	return data, tiles, nil
}

var (
	errLost   = errors.New("its tiles do not have all of its data")
	errDiffer = errors.New("its tiles differ where they overlap")
)

// fill copies the data of a tile, whose first element is start, into that of the whole, and marks
// its elements.
func fill(data []byte, filled []bool, m *tflite.Model, tile *tflite.Tensor, shape []int32, start int64) error {
	n, _ := tile.Elements()
	part := m.Buffer(tile).Data
	element := int64(len(data)) / int64(len(filled))
	if !tile.Constant || n == 0 || int64(len(part)) != n*element {
		return errLost
	}
	for k := range n {
		// Element k of the tile is element at of the whole.
		at, rest, stride := start, k, int64(1)
		for d := len(shape) - 1; d >= 0; d-- {
			at += rest % int64(tile.Shape[d]) * stride
			rest, stride = rest/int64(tile.Shape[d]), stride*int64(shape[d])
		}
		from, to := part[k*element:(k+1)*element], data[at*element:(at+1)*element]
		if filled[at] && !bytes.Equal(from, to) {
			return errDiffer
		}
		filled[at] = true
		copy(to, from)
	}
	return nil
}

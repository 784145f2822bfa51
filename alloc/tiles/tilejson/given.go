package tilejson

import (
	"encoding/json"
	"fmt"

	"github.com/tflarena/tflarena/alloc/tiles/tiling"
)

// ParseGiven reads tiles chosen for a model:
//
//	{"tensors": [{"tensor": "0:12", "rows": 4},
//	             {"tensor": "0:13", "pixels": 8},
//	             {"tensor": "0:14", "tiles": [{"offset": [0, 0, 0, 0], "size": [1, 2, 8, 16]}, ...]}],
//	 "cascades": [{"first_operator": 3, "last_operator": 6, "rows": 2}]}
//
// Its error names the entry, numbered from 0.
func ParseGiven(data []byte) (*tiling.Given, error) {
	top, err := membersOf(data)
	if err != nil {
		return nil, err
	}
	g := &tiling.Given{}
	if g.Tensors, err = listOf(top, "tensors", givenTensor); err != nil {
		return nil, err
	}
	if g.Cascades, err = listOf(top, "cascades", givenCascade); err != nil {
		return nil, err
	}
	return g, top.over()
}

// listOf takes an optional member that is a list of objects.
func listOf[T any](m *members, name string, read func(*members) (T, error)) (list []T, err error) {
	raw, ok := m.take(name)
	if !ok {
		return nil, nil
	}
	elements, err := elementsOf(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i, e := range elements {
		object, err := membersOf(e)
		var x T
		if err == nil {
			if x, err = read(object); err == nil {
				err = object.over()
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: entry %d: %w", name, i, err)
		}
		list = append(list, x)
	}
	return list, nil
}

func givenTensor(m *members) (g tiling.GivenTensor, err error) {
	if err := m.text("tensor", &g.Tensor); err != nil {
		return g, err
	}
	if g.Tensor == "" {
		return g, fmt.Errorf("there is no member \"tensor\", the ID of the tensor")
	}
	ways := 0
	for _, cut := range []tiling.Cut{tiling.Rows, tiling.Pixels} {
		if _, ok := m.values[string(cut)]; ok {
			ways++
			g.Cut = cut
			if err := m.number(string(cut), &g.Most); err != nil {
				return g, err
			}
		}
	}
	if _, ok := m.values["tiles"]; ok {
		ways++
		g.Cut = tiling.Own
		if g.Tiles, err = listOf(m, "tiles", givenTile); err != nil {
			return g, err
		}
	}
	if ways != 1 {
		return g, fmt.Errorf("it has %d of the members \"rows\", \"pixels\" and \"tiles\", and needs exactly one", ways)
	}
	return g, nil
}

func givenTile(m *members) (t tiling.GivenTile, err error) {
	if t.Offset, err = m.numbers("offset"); err != nil {
		return t, err
	}
	t.Size, err = m.numbers("size")
	return t, err
}

func givenCascade(m *members) (c tiling.GivenCascade, err error) {
	first, last := int64(-1), int64(-1)
	for _, x := range []struct {
		name string
		to   *int64
	}{{"first_operator", &first}, {"last_operator", &last}, {"rows", &c.Rows}} {
		if err := m.number(x.name, x.to); err != nil {
			return c, err
		}
	}
	const most = 1 << 30 // above the number of operators of any file
	c.First, c.Last = int(max(-1, min(first, most))), int(max(-1, min(last, most)))
	return c, nil
}

// numbers takes a required member that is a list of integers.
func (m *members) numbers(name string) (list []int64, err error) {
	raw, ok := m.take(name)
	if !ok {
		return nil, fmt.Errorf("there is no member %q", name)
	}
	elements, err := elementsOf(raw)
	for _, e := range elements {
		if err == nil {
			var n int64
			n, err = wholeNumber(json.RawMessage(e))
			list = append(list, n)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}

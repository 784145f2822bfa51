// Package tilejson reads and writes the JSON files of package tiles: problems, and tiles chosen for
// a model.
//
// A problem file is {"unit": "byte", "alignment": 1, "cases": [...]}, or a single case. A case has
// a name and tensors, a tensor has a name, a size in bytes and accesses, and an access is [step,
// "r" or "w", first byte, end byte], with the end exclusive. Unknown and repeated members are
// errors, which catches misspelt names.
package tilejson

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/alloc/tiles"
	"github.com/tflarena/tflarena/lifetime"
)

// A Case is one problem of a file.
type Case struct {
	Name    string // may be empty
	Tensors []lifetime.Tiled
}

// LooksLike reports whether the first few KiB of a file look like a JSON object, not like a model
// or a CSV problem.
func LooksLike(beginning []byte) bool {
	text := strings.TrimLeft(strings.TrimPrefix(string(beginning), "\xef\xbb\xbf"), " \t\r\n")
	if len(beginning) >= 8 && string(beginning[4:8]) == "TFL3" || !strings.HasPrefix(text, "{") {
		return false
	}
	rest := strings.TrimLeft(text[1:], " \t\r\n")
	return rest == "" || rest[0] == '"' || rest[0] == '}'
}

// Parse returns the cases of a file. Its error names the case, the tensor and the access, numbered
// from 0.
func Parse(data []byte) ([]Case, error) {
	top, err := membersOf(data)
	if err != nil {
		return nil, err
	}
	align := int64(1)
	if err := top.header(&align); err != nil {
		return nil, err
	}
	list, several := top.take("cases")
	if !several {
		c, err := readCase(top, align)
		if err != nil {
			return nil, err
		}
		return []Case{c}, nil
	}
	if err := top.over(); err != nil {
		return nil, err
	}
	raw, err := elementsOf(list)
	if err != nil {
		return nil, fmt.Errorf("cases: %w", err)
	}
	if len(raw) == 0 {
		return nil, fmt.Errorf("cases: there are none")
	}
	cases := make([]Case, len(raw))
	for i, r := range raw {
		m, err := membersOf(r)
		if err == nil {
			cases[i], err = readCase(m, align)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", title("case", i, cases[i].Name), err)
		}
	}
	return cases, nil
}

// header reads the members that hold for all cases.
func (m *members) header(align *int64) error {
	unit := "byte"
	if err := m.text("unit", &unit); err != nil {
		return err
	}
	if unit != "byte" {
		return fmt.Errorf("unit is %q: sizes and offsets are in bytes, \"byte\"", unit)
	}
	return m.number("alignment", align)
}

// readCase returns the name of the case with an error, too.
func readCase(m *members, align int64) (c Case, err error) {
	if err := m.text("name", &c.Name); err != nil {
		return c, err
	}
	steps := int64(lifetime.MaxStep)
	if err := m.number("steps", &steps); err != nil {
		return c, err
	}
	list, ok := m.take("tensors")
	if !ok {
		return c, fmt.Errorf("there is no member \"tensors\"")
	}
	m.skip("layout", "ops", "result")
	if err := m.over(); err != nil {
		return c, err
	}
	raw, err := elementsOf(list)
	if err != nil {
		return c, fmt.Errorf("tensors: %w", err)
	}
	for i, r := range raw {
		t, err := readTensor(r, align, steps)
		if err != nil {
			return c, fmt.Errorf("%s: %w", title("tensor", i, t.Name), err)
		}
		t.ID = fmt.Sprint(i)
		c.Tensors = append(c.Tensors, t)
	}
	_, err = tiles.Records(tiles.Problem{Tensors: c.Tensors})
	return c, c.located(err)
}

// located adds the name of the tensor to an error of package tiles.
func (c Case) located(err error) error {
	var e *tiles.Error
	if !errors.As(err, &e) || e.Tensor < 0 {
		return err
	}
	at := title("tensor", e.Tensor, c.Tensors[e.Tensor].Name)
	if e.Access >= 0 {
		at += fmt.Sprintf(": access %d", e.Access)
	}
	return fmt.Errorf("%s: %s", at, e.Problem)
}

// title returns "KIND INDEX (NAME)", without the name if it is empty.
func title(kind string, i int, name string) string {
	if name == "" {
		return fmt.Sprintf("%s %d", kind, i)
	}
	return fmt.Sprintf("%s %d (%s)", kind, i, name)
}

package tilejson

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/alloc/tiles"
	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/models"
)

func TestParse(t *testing.T) {
	const text = `{"alignment": 4, "tensors": [{"name": "a", "size": 8, "alignment": 2, "whole": [1, 5], "accesses": [[0, "w", 0, 8], [2, "r", 4, 8]]}, {"size": 0, "accesses": []}]}`
	cases, err := Parse([]byte("\xef\xbb\xbf " + text))
	if err != nil || len(cases) != 1 || cases[0].Name != "" || len(cases[0].Tensors) != 2 {
		t.Fatalf("%+v: %v", cases, err)
	}
	a, b := cases[0].Tensors[0], cases[0].Tensors[1]
	if a.Name != "a" || a.ID != "0" || a.Size != 8 || a.Align != 2 || *a.Whole != (lifetime.Steps{First: 1, Last: 5}) || len(a.Accesses) != 2 ||
		a.Accesses[0] != (lifetime.Access{Write: true, Hi: 8}) || a.Accesses[1] != (lifetime.Access{Step: 2, Lo: 4, Hi: 8}) {
		t.Errorf("%+v", a)
	}
	if b.ID != "1" || b.Align != 4 {
		t.Errorf("%+v", b)
	}
}

// TestErrors: each error is about one fault, with its place.
func TestErrors(t *testing.T) {
	tensor := func(text string) string { return `{"name": "c", "tensors": [{"name": "t", "size": 8, ` + text + `}]}` }
	access := func(text string) string { return tensor(`"accesses": [[0, "w", 0, 8], ` + text + `]`) }
	for text, want := range map[string]string{
		``:                                  "ends too early",
		`{`:                                 "ends too early",
		`[]`:                                "is not an object",
		`{} {}`:                             "something follows an object",
		`{"a" 1}`:                           "it is not JSON",
		`{}`:                                `there is no member "tensors"`,
		`{"cases": {}}`:                     "cases: {} is not an array",
		`{"cases": []}`:                     "cases: there are none",
		`{"cases": [3]}`:                    "case 0: 3 is not an object",
		`{"cases": [], "more": 1}`:          `member "more" has no meaning here`,
		`{"Tensors": []}`:                   `there is no member "tensors"`,
		`{"tensors": [], "tensors": 1}`:     `member "tensors" comes twice`,
		`{"unit": "bit", "tensors": []}`:    `unit is "bit"`,
		`{"unit": 1, "tensors": []}`:        "unit is 1, not a string",
		`{"alignment": 1.5, "tensors": []}`: "alignment: 1.5 is not a whole number",
		`{"tensors": [{"accesses": []}]}`:   "tensor 0: size is missing or negative",
		`{"tensors": [{"size": 99999999999999999999, "accesses": []}]}`: "tensor 0: size: 99999999999999999999 is not a whole number",
		tensor(`"shape": []`):                        `tensor 0 (t): there is no member "accesses"`,
		tensor(`"accesses": 1`):                      "tensor 0 (t): accesses: 1 is not an array",
		tensor(`"accesses": []`):                     "tensor 0 (t): no step writes it",
		tensor(`"accesses": [], "whole": [1]`):       "whole has 1 values",
		tensor(`"accesses": [], "whole": [3, 1]`):    "in use as a whole from step 3 to 1",
		tensor(`"accesses": [], "whole": [1, true]`): "whole: true is not a whole number",
		access(`1`):                              "access 1: 1 is not an array",
		access(`[1, "r", 0]`):                    "access 1: it has 3 values",
		access(`[1, "x", 0, 1]`):                 `access 1: "x" is neither`,
		access(`[1, "r", 0, 9]`):                 "tensor 0 (t): access 1: bytes [0, 9) are not all within",
		access(`[1, "r", 3, 3]`):                 "access 1: bytes [3, 3) are none",
		access(`[-1, "r", 0, 1]`):                "access 1: step -1 is not one of 0 to",
		access(`[1, "r", null, 1]`):              "access 1: null is not a whole number",
		access(`[4, "r", 0, 1], [3, "r", 0, 1]`): "access 2: step 3 comes after step 4",
		access(`[0, "r", 0, 1]`):                 "access 1: step 0 reads bytes [0, 1), which no step before it writes",
		`{"steps": 1, "tensors": [{"size": 1, "accesses": [[2, "w", 0, 1]]}]}`: "step 2 is not one of 0 to 1",
	} {
		_, err := Parse([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestLooksLike(t *testing.T) {
	for text, want := range map[string]bool{
		`{"cases": []}`: true, "\xef\xbb\xbf\n{\n": true, "{}": true, "": false, "id,size\n": false, "{\x00\x00\x00TFL3": false, `[1]`: false, "{x": false,
	} {
		if got := LooksLike([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// FuzzParse: a parsed problem can be planned, unless its numbers are too large together.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"alignment": 4, "tensors": [{"name": "a", "size": 8, "whole": [1, 5], "accesses": [[0, "w", 0, 8]]}]}`))
	f.Add([]byte(`{"cases": [{"name": "c", "steps": 2, "tensors": [{"size": 3, "accesses": [[0, "w", 0, 2], [2, "r", 1, 2]]}]}]}`))
	if dir := corpus.Find(); dir != "" {
		if data, err := os.ReadFile(filepath.Join(dir, "tiles", "taa-cases.json")); err == nil {
			if m, err := membersOf(data); err == nil {
				list, _ := m.take("cases")
				each, _ := elementsOf(list)
				for _, c := range each {
					f.Add([]byte(c))
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		cases, err := Parse(data)
		if err != nil {
			return
		}
		for _, c := range cases {
			for _, s := range []lifetime.Semantics{lifetime.Atomic, lifetime.Simultaneous} {
				records, err := tiles.Records(tiles.Problem{Tensors: c.Tensors, Semantics: s})
				if err != nil {
					t.Fatalf("%s: %v", s, err)
				}
				var offsets []int64
				var end int64
				for _, r := range records {
					at := end
					if a := r.Alignment(); at%a != 0 {
						at += a - at%a
					}
					offsets, end = append(offsets, at), at+r.Size
				}
				if len(records) > 0 && records[len(records)-1].Size > 0 {
					if err := tiles.Check(tiles.Problem{Tensors: c.Tensors, Semantics: s}, offsets, end); err != nil {
						t.Fatalf("end to end: %v", err)
					}
				}
			}
		}
	})
}

// TestWrite: written cases are read back unchanged.
func TestWrite(t *testing.T) {
	c := Case{Name: "a \"b\"", Tensors: []lifetime.Tiled{
		{ID: "0", Name: "<in>", Size: 8, Align: 4, Accesses: []lifetime.Access{{Write: true, Hi: 8}, {Step: 1, Lo: 4, Hi: 8}}},
		{ID: "1", Size: 4, Align: 4, Whole: &lifetime.Steps{First: 0, Last: 2}, Accesses: []lifetime.Access{}},
	}}
	data := c.Write(2, []Op{{Operators: [2]int{0, 1}, Steps: [2]int{1, 1}, Tile: "rows", Extent: 3}})
	read, err := Parse(data)
	if err != nil || len(read) != 1 {
		t.Fatalf("%v\n%s", err, data)
	}
	if diff := cmp.Diff(c, read[0]); diff != "" {
		t.Error(diff)
	}
}

func TestParseGiven(t *testing.T) {
	g, err := ParseGiven([]byte(`{"tensors": [{"tensor": "0:1", "rows": 4}, {"tensor": "0:2", "pixels": 8},
		{"tensor": "0:3", "tiles": [{"offset": [0, 1], "size": [1, 2]}]}], "cascades": [{"first_operator": 3, "last_operator": 6, "rows": 2}]}`))
	want := &tiling.Given{
		Tensors: []tiling.GivenTensor{
			{Tensor: "0:1", Cut: tiling.Rows, Most: 4},
			{Tensor: "0:2", Cut: tiling.Pixels, Most: 8},
			{Tensor: "0:3", Cut: tiling.Own, Tiles: []tiling.GivenTile{{Offset: []int64{0, 1}, Size: []int64{1, 2}}}},
		},
		Cascades: []tiling.GivenCascade{{First: 3, Last: 6, Rows: 2}},
	}
	if diff := cmp.Diff(want, g); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	for text, want := range map[string]string{
		`[]`:                               "is not an object",
		`{"tensor": []}`:                   `member "tensor" has no meaning here`,
		`{"tensors": {}}`:                  "tensors: {} is not an array",
		`{"tensors": [{"rows": 1}]}`:       `tensors: entry 0: there is no member "tensor"`,
		`{"tensors": [{"tensor": "0:1"}]}`: `entry 0: it has 0 of the members "rows", "pixels" and "tiles", and needs exactly one`,
		`{"tensors": [{"tensor": "0:1", "rows": 1, "pixels": 1}]}`:                             "it has 2 of the members",
		`{"tensors": [{"tensor": "0:1", "rows": 1.5}]}`:                                        "rows: 1.5 is not a whole number",
		`{"tensors": [{"tensor": "0:1", "tiles": [{"offset": [0]}]}]}`:                         `entry 0: tiles: entry 0: there is no member "size"`,
		`{"tensors": [{"tensor": "0:1", "tiles": [{"offset": [0], "size": [1], "step": 1}]}]}`: `member "step" has no meaning here`,
		`{"tensors": [{"tensor": "0:1", "tiles": [{"offset": [true], "size": [1]}]}]}`:         "offset: true is not a whole number",
		`{"cascades": [{"first_operator": "x"}]}`:                                              `cascades: entry 0: first_operator: "x" is not a whole number`,
	} {
		if _, err := ParseGiven([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// FuzzParseGiven: whatever is read, a model is cut by it or refuses it.
func FuzzParseGiven(f *testing.F) {
	f.Add([]byte(`{"tensors": [{"tensor": "0:3", "rows": 4}, {"tensor": "0:6", "pixels": 8}], "cascades": [{"first_operator": 3, "last_operator": 6, "rows": 2}]}`))
	f.Add([]byte(`{"tensors": [{"tensor": "0:3", "tiles": [{"offset": [0, 0, 0, 0], "size": [1, 60, 112, 32]}, {"offset": [0, 60, 0, 0], "size": [1, 52, 112, 32]}]}]}`))
	f.Add([]byte(`{"cascades": [{"first_operator": -1, "last_operator": 99999999999}]}`))
	m := builtin.Model(f, "mobilenet-v1"+models.Int8)
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := ParseGiven(data)
		if err != nil {
			return
		}
		s, err := tiling.New(t.Context(), m, 0, tiling.Options{OnChip: 1 << 19, Given: g})
		if err != nil {
			return
		}
		if _, err := tiles.Records(tiles.Problem{Tensors: s.Tensors}); err != nil {
			t.Fatal(err)
		}
	})
}

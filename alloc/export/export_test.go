package export

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/mip"
	"github.com/tflarena/tflarena/lifetime"
)

// solved returns a plan of a few records.
func solved(t *testing.T, a alloc.Approach) *Plan {
	t.Helper()
	records := []lifetime.Record{
		{ID: "0:0", Name: "in", First: 0, Last: 1, Size: 64, Align: 16},
		{ID: "0:1", Name: `"a", b`, First: 1, Last: 2, Size: 40, Align: 16},
		{ID: "0:2", First: 2, Last: 3, Size: 64, Align: 16},
	}
	places, err := alloc.Solve(context.Background(), records, alloc.Options{Approach: a})
	if err != nil {
		t.Fatal(err)
	}
	return &Plan{Name: "a.tflite", Records: records, Places: places, Firmware: &Firmware{Tensors: 3, Alignment: 16}}
}

func TestCSV(t *testing.T) {
	for approach, want := range map[alloc.Approach]string{
		alloc.Offsets: "id,name,first_op,last_op,size_bytes,offset_bytes\n0:0,in,0,1,64,0\n0:1,\"\"\"a\"\", b\",1,2,40,64\n0:2,,2,3,64,0\n",
		alloc.Shared:  "id,name,first_op,last_op,size_bytes,object\n0:0,in,0,1,64,0\n0:1,\"\"\"a\"\", b\",1,2,40,1\n0:2,,2,3,64,0\n",
	} {
		if diff := cmp.Diff(want, written(t, "csv", solved(t, approach))); diff != "" {
			t.Errorf("%s: %s", approach, diff)
		}
	}
}

// table stands for a table that records were read from.
type table struct{ err error }

func (s table) WithOffsets(offsets []int64) ([]byte, error) {
	return []byte(strings.Repeat("row\n", len(offsets))), s.err
}

// A plan of a table is the table, also where shared objects have to be laid end to end.
func TestSource(t *testing.T) {
	p := solved(t, alloc.Shared)
	p.Source = table{}
	if text := written(t, "csv", p); text != "row\nrow\nrow\n" {
		t.Errorf("%q", text)
	}
	p.Source = table{io.ErrUnexpectedEOF}
	if err := Write(io.Discard, "csv", p); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

// Every form can be written of either approach, and always with the same bytes.
func TestAllFormats(t *testing.T) {
	for _, approach := range []alloc.Approach{alloc.Offsets, alloc.Shared} {
		p := modelled(t, approach)
		for _, name := range Names() {
			text := written(t, name, p)
			if text == "" || text != written(t, name, p) {
				t.Errorf("%s of %s: %q", name, approach, text)
			}
			if f, ok := Lookup(name); !ok || f.Name != name {
				t.Errorf("%s is looked up as %+v", name, f)
			}
		}
	}
}

func TestPicture(t *testing.T) {
	p := solved(t, alloc.Offsets)
	if text := written(t, "svg", p); !strings.Contains(text, ">a.tflite<") || xml.Unmarshal([]byte(text), new(any)) != nil {
		t.Error(text)
	}
	p.Title = "a title"
	if text := written(t, "svg", p); !strings.Contains(text, ">a title<") {
		t.Error(text)
	}
}

// A program is stated about other records where several were planned as one.
func TestStated(t *testing.T) {
	p := solved(t, alloc.Offsets)
	for name, write := range map[string]func(io.Writer, []lifetime.Record, mip.Forbid, int64) error{"lp": mip.WriteLP, "mps": mip.WriteMPS} {
		for _, records := range [][]lifetime.Record{p.Records, p.Records[:1]} {
			p.Stated = records
			var want bytes.Buffer
			if err := write(&want, records, nil, p.Places.Total); err != nil || want.String() != written(t, name, p) {
				t.Errorf("%s of %d records: %v", name, len(records), err)
			}
		}
	}
}

// Contradictory plans are errors, and never panics.
func TestErrors(t *testing.T) {
	for name, spoil := range map[string]func(*Plan){
		"no places":              func(p *Plan) { p.Places = nil },
		"a record more":          func(p *Plan) { p.Records = append(p.Records, lifetime.Record{}) },
		"no firmware":            func(p *Plan) { p.Firmware = nil },
		"a tensor more":          func(p *Plan) { p.Firmware.Tensors++ },
		"fewer than none":        func(p *Plan) { p.Firmware.Tensors = -1 },
		"a request of no record": func(p *Plan) { p.Firmware.Requests = []int{3} },
	} {
		for _, approach := range []alloc.Approach{alloc.Offsets, alloc.Shared} {
			p := solved(t, approach)
			spoil(p)
			if err := Write(io.Discard, "header", p); !errors.Is(err, ErrPlan) {
				t.Errorf("%s of %s: %v", name, approach, err)
			}
		}
	}
	var unknown *UnknownFormatError
	if err := Write(io.Discard, "bmp", solved(t, alloc.Offsets)); !errors.As(err, &unknown) || unknown.Name != "bmp" || !strings.Contains(err.Error(), "csv, svg, png, pdf, trace, model-explorer, header") {
		t.Error(err)
	}
}

// Write errors are returned.
func TestWriterFails(t *testing.T) {
	for _, name := range Names() {
		if err := Write(full{}, name, modelled(t, alloc.Offsets)); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// full takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// Names out of hostile files come back from CSV as they were.
func TestCSVKeepsNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[^\r]*`).Draw(t, "name")
		p := &Plan{
			Records: []lifetime.Record{{ID: "a", Name: name, Size: 1}},
			Places:  &alloc.Plan{Approach: alloc.Offsets, Offsets: []int64{0}, Total: 1},
		}
		var b bytes.Buffer
		if err := Write(&b, "csv", p); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil || len(rows) != 2 || rows[1][1] != name {
			t.Fatalf("%q, %v", rows, err)
		}
	})
}

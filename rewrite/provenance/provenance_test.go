package provenance

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/tflite"
)

// withRecords returns a model with metadata of each text.
func withRecords(t testing.TB, texts ...string) *tflite.Model {
	m := sample.Chain()
	for _, text := range texts {
		m.Buffers = append(m.Buffers, encode.Buffer{Data: []byte(text)})
		m.Metadata = append(m.Metadata, encode.Metadata{Name: Name, Buffer: len(m.Buffers)})
	}
	return modelfile.Build(t, m)
}

const goodRecord = `{"version":1,"rules":[{"name":"pad-nothing","operator_count":2}],"kernels":["reference","esp-nn"],"litert_default":true,"litert_reference":true}`

// TestRead: a record is read as it was written; without one there is none.
func TestRead(t *testing.T) {
	if r, err := Read(withRecords(t)); r != nil || err != nil {
		t.Errorf("%v, %v, want none", r, err)
	}
	want := &Record{Version: 1, Rules: []Rule{{Name: "pad-nothing", Operators: 2}}, Exact: Exact{Kernels: []string{"reference", "esp-nn"}, LiteRT: true, Reference: true}, Entry: 1}
	for _, texts := range [][]string{{goodRecord}, {goodRecord, goodRecord}} {
		if r, err := Read(withRecords(t, texts...)); err != nil || cmp.Diff(want, r) != "" {
			t.Errorf("%v, %+v", err, r)
		}
	}
}

// TestHostile: other records are errors that name the place.
func TestHostile(t *testing.T) {
	rule := func(name, count string) string {
		return fmt.Sprintf(`{"version":1,"rules":[{"name":%q,"operator_count":%s}]}`, name, count)
	}
	for message, texts := range map[string][]string{
		"no JSON":                       {"{"},
		"it has version 0":              {"{}"},
		"it has version 2":              {`{"version":2}`},
		"more than 65536":               {strings.Repeat(" ", 1<<16) + goodRecord},
		"it differs":                    {goodRecord, rule("pad-nothing", "1")},
		"is no name of a rule":          {rule("a\n", "1")},
		"or there twice":                {`{"version":1,"rules":[{"name":"a","operator_count":1},{"name":"a","operator_count":1}]}`},
		"replaced -1 operators":         {rule("a", "-1")},
		"replaced 2147483648 operators": {rule("a", "2147483648")},
		"no family of kernel":           {`{"version":1,"kernels":["x"]}`},
		`"esp-nn" is no family`:         {`{"version":1,"kernels":["esp-nn","esp-nn"]}`},
		"cannot unmarshal":              {`{"version":1,"rules":{}}`},
	} {
		m := withRecords(t, texts...)
		r, err := Read(m)
		if bad := (*Error)(nil); !errors.As(err, &bad) || !strings.Contains(err.Error(), message) || bad.Entry != len(m.Metadata)-1 ||
			bad.Offset != m.Buffers[m.Metadata[bad.Entry].Buffer].Offset {
			t.Errorf("%s: %v, %v", message, r, err)
		}
	}
}

// FuzzRead: a record is an error of its place, or one that is read again as it was written.
func FuzzRead(f *testing.F) {
	for _, text := range []string{goodRecord, "", "{}", `{"version":1}`, `{"version":1,"rules":[{"name":"a","operator_count":2147483647}]}`, `[1]`, `{"version":1e9}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := withRecords(t, string(data))
		r, err := Read(m)
		if err != nil {
			if bad := (*Error)(nil); !errors.As(err, &bad) || bad.Offset < 0 || bad.Offset > int64(len(m.Data)) {
				t.Fatal(err)
			}
			return
		}
		r.Entry = 0
		if again, err := r.Encode(); err != nil {
			t.Fatal(err)
		} else if same, err := parse(again); err != nil || cmp.Diff(r, same) != "" {
			t.Fatalf("%v: %s", err, again)
		}
	})
}

package transform

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/rewrite/internal/sample"
	"github.com/tflarena/tflarena/tflite"
)

// withRecords returns a model with metadata of each text.
func withRecords(t testing.TB, texts ...string) *tflite.Model {
	m := sample.Chain()
	for _, text := range texts {
		m.Buffers = append(m.Buffers, encode.Buffer{Data: []byte(text)})
		m.Metadata = append(m.Metadata, encode.Metadata{Name: RecordName, Buffer: len(m.Buffers)})
	}
	return sample.Build(t, m)
}

const goodRecord = `{"version":1,"rules":[{"name":"pad-nothing","operator_count":2}],"kernels":["reference","esp-nn"],"litert_default":true,"litert_reference":true}`

// TestReadRecord: a record is read as it was written; without one there is none.
func TestReadRecord(t *testing.T) {
	if r, err := ReadRecord(withRecords(t)); r != nil || err != nil {
		t.Errorf("%v, %v, want none", r, err)
	}
	want := &Record{Version: 1, Rules: []RecordedRule{{"pad-nothing", 2}}, Kernels: []string{"reference", "esp-nn"}, LiteRT: true, Reference: true}
	for _, texts := range [][]string{{goodRecord}, {goodRecord, goodRecord}} {
		if r, err := ReadRecord(withRecords(t, texts...)); err != nil || cmp.Diff(want, r) != "" {
			t.Errorf("%v, %+v", err, r)
		}
	}
}

// TestRecordMerged: a record counts the operators of a rule together, and is exact where all rules are.
func TestRecordMerged(t *testing.T) {
	m := withRecords(t, goodRecord)
	data, err := recorded(m, []Applied{{Rule: &padsNothing, Operators: make([]Place, 3)}, {Rule: &convToFullyConnected, Operators: make([]Place, 1)}})
	if err != nil {
		t.Fatal(err)
	}
	want := &Record{
		Version: 1, Rules: []RecordedRule{{"pad-nothing", 5}, {"conv-to-fully-connected", 1}}, Kernels: []string{"reference", "esp-nn"}, LiteRT: true,
	}
	if r, err := parseRecord(data.Data); err != nil || cmp.Diff(want, r) != "" {
		t.Errorf("%v, %+v", err, r)
	}
}

// TestRecordHostile: other records are errors that name the place.
func TestRecordHostile(t *testing.T) {
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
		r, err := ReadRecord(m)
		if bad := (*RecordError)(nil); !errors.As(err, &bad) || !strings.Contains(err.Error(), message) || bad.Entry != len(m.Metadata)-1 ||
			bad.Offset != m.Buffers[m.Metadata[bad.Entry].Buffer].Offset {
			t.Errorf("%s: %v, %v", message, r, err)
		}
		if _, err := recorded(m, nil); err == nil {
			t.Errorf("%s: more rules are recorded", message)
		}
	}
}

// FuzzReadRecord: a record is an error of its place, or one that is read again after more rules were added.
func FuzzReadRecord(f *testing.F) {
	for _, text := range []string{goodRecord, "", "{}", `{"version":1}`, `{"version":1,"rules":[{"name":"a","operator_count":2147483647}]}`, `[1]`, `{"version":1e9}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := withRecords(t, string(data))
		r, err := ReadRecord(m)
		if err != nil {
			if bad := (*RecordError)(nil); !errors.As(err, &bad) || bad.Offset < 0 || bad.Offset > int64(len(m.Data)) {
				t.Fatal(err)
			}
			return
		}
		if again, err := json.Marshal(r); err != nil {
			t.Fatal(err)
		} else if same, err := parseRecord(again); err != nil || cmp.Diff(r, same) != "" {
			t.Fatalf("%v: %s", err, again)
		}
		more, err := recorded(m, []Applied{{Rule: &padsNothing, Operators: make([]Place, 1)}})
		if bad := (*RecordError)(nil); errors.As(err, &bad) {
			return // too long
		}
		if err != nil {
			t.Fatal(err)
		}
		if r, err := parseRecord(more.Data); err != nil || len(r.Rules) == 0 {
			t.Fatalf("%v: %s", err, more.Data)
		}
	})
}

package rewrite

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// oldLoop is a chain whose first operator is a WHILE with its code in the deprecated field alone.
func oldLoop() encode.Model {
	m := sample.Chain()
	body := m.Subgraphs[0]
	m.Subgraphs = append(m.Subgraphs, body)
	m.Subgraphs[0].Operators = slices.Clone(body.Operators)
	op := &m.Subgraphs[0].Operators[0]
	op.Builtin, op.Old, op.OptionsType = schema.BuiltinOperatorWHILE, true, schema.BuiltinOptionsWhileOptions
	op.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		schema.WhileOptionsStart(b)
		schema.WhileOptionsAddCondSubgraphIndex(b, 1)
		schema.WhileOptionsAddBodySubgraphIndex(b, 1)
		return schema.WhileOptionsEnd(b)
	}
	return m
}

// codeField is a line about the new field of an operator code.
var codeField = regexp.MustCompile(`^(model\.OperatorCodes\[\d+\]\.BuiltinCode) = .*`)

// filled checks what FillCodes returned: control flow has its code in the new field, and nothing else of
// the file differs.
func filled(t sample.TB, m *tflite.Model, r *Result) *tflite.Model {
	t.Helper()
	out := modelfile.Parse(t, r.Data)
	for i := range m.OperatorCodes {
		if out.OperatorCodes[i].HidesCalls() {
			t.Fatalf("operator_codes[%d] still hides its calls", i)
		}
		if m.OperatorCodes[i].Builtin != out.OperatorCodes[i].Builtin {
			t.Fatalf("operator_codes[%d] is %v, was %v", i, out.OperatorCodes[i].Builtin, m.OperatorCodes[i].Builtin)
		}
		if !m.OperatorCodes[i].HidesCalls() && m.OperatorCodes[i] != out.OperatorCodes[i] {
			t.Fatalf("operator_codes[%d] differs", i)
		}
	}
	lines := func(m *tflite.Model, shift int64) (list []string) {
		for _, line := range sample.ContentOf(m, shift, len(m.Buffers), nil) {
			list = append(list, codeField.ReplaceAllString(line, "$1"))
		}
		return list
	}
	if diff := cmp.Diff(lines(m, r.Added), lines(out, 0)); diff != "" {
		t.Fatalf("content differs (-old +new):\n%s", diff)
	}
	return out
}

func TestFillCodes(t *testing.T) {
	m := modelfile.Build(t, oldLoop())
	r, err := FillCodes(m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Method != Prefix || r.Added%64 != 0 || !strings.Contains(strings.Join(r.Changes, "\n"), "is filled, which was empty: WHILE") {
		t.Errorf("%s, %d B more: %q", r.Method, r.Added, r.Changes)
	}
	out := filled(t, m, r)
	again, err := FillCodes(out, Options{})
	if err != nil || again.Method != Unchanged || !bytes.Equal(again.Data, out.Data) {
		t.Errorf("again: %v, %v", again, err)
	}
	// A plan comes and goes as in other files.
	planned, err := Embed(out, sample.Naive(t, out), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if back := remove(t, modelfile.Parse(t, planned.Data)); back.Method != Restored || !bytes.Equal(back.Data, out.Data) {
		t.Errorf("the plan removed: %s", back.Method)
	}
}

// TestFillCodesOfCorpus: a file that hides nothing stays as it is.
func TestFillCodesOfCorpus(t *testing.T) {
	changed := 0
	for _, f := range corpus.Models(t) {
		m := sample.OpenFile(t, f.Path)
		if m == nil || f.Slow() {
			continue
		}
		r, err := FillCodes(m, Options{})
		if refused := (*RefusedError)(nil); errors.As(err, &refused) {
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		hides := slices.ContainsFunc(m.OperatorCodes, func(c tflite.OperatorCode) bool { return c.HidesCalls() })
		if (r.Method != Unchanged) != hides {
			t.Errorf("%s: %s", f.Name, r.Method)
		}
		if hides {
			changed++
			filled(t, m, r)
		}
	}
	if changed == 0 {
		t.Error("no model of the corpus hides control flow")
	}
}

// TestRuntimesFillCodes: the runtimes of today do the same with both forms of a file.
func TestRuntimesFillCodes(t *testing.T) {
	runtimes := oracle.Start(t)
	f := corpus.Model(t, "dtln_model_1.tflite")
	m := sample.OpenFile(t, f.Path)
	r, err := FillCodes(m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	request := oracle.Request{Arena: 1 << 20, Seed: 1, Invokes: 2, Inputs: len(m.Subgraphs[0].Inputs), Outputs: len(m.Subgraphs[0].Outputs)}
	for _, runtime := range []string{"tflm", "litert"} {
		request.Model = f.Path
		before := runIn(t, runtimes, request, runtime)
		request.Model = sample.Written(t, r.Data)
		if diff := cmp.Diff(before, runIn(t, runtimes, request, runtime)); diff != "" || before.Error != "" {
			t.Errorf("%s: %s (-deprecated field +both fields):\n%s", runtime, before.Error, diff)
		}
	}
}

// FuzzFillCodes: whatever the file, its codes are filled right or it is refused; the input is not touched.
func FuzzFillCodes(f *testing.F) {
	for i, data := range append(sample.Seeds(f), encode.Encode(oldLoop())) {
		f.Add(data, i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, data []byte, force bool) {
		before := bytes.Clone(data)
		m, err := tflite.Parse(data, "fuzz")
		if err != nil {
			return
		}
		r, err := FillCodes(m, Options{Force: force})
		if refused := (*RefusedError)(nil); err == nil {
			filled(t, m, r)
		} else if !errors.As(err, &refused) {
			t.Fatal(err)
		}
		if !bytes.Equal(data, before) {
			t.Fatal("the input was changed")
		}
	})
}

package verify

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

func verify(t sample.TB, m *tflite.Model) *Report {
	t.Helper()
	v, err := Plan(m)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// wanted returns the verdicts that a variation has.
func wanted(v sample.Variation) (list []verdict) {
	for _, w := range v.Want {
		list = append(list, verdict{Law(w.Law), Severity(w.Severity)})
	}
	return list
}

func verdicts(v *Report) (list []verdict) {
	for _, f := range v.Findings {
		list = append(list, verdict{f.Law, f.Severity})
	}
	return list
}

// Every law, by a plan that breaks it and one that just does not.
func TestVerify(t *testing.T) {
	for _, c := range sample.Variations() {
		t.Run(c.Name, func(t *testing.T) {
			m := sample.Planned(t, c.Model, c.Offsets...)
			v := verify(t, m)
			if diff := cmp.Diff(wanted(c), verdicts(v)); diff != "" {
				t.Fatalf("(-want +got):\n%s%v", diff, v.Findings)
			}
			failed := false
			for i, f := range v.Findings {
				failed = failed || f.Severity == Failure
				if i == 0 && !strings.Contains(f.Message, strings.Trim(c.Message, `"`)) {
					t.Errorf("message %q lacks %q", f.Message, c.Message)
				}
				if f.Path == "" || f.Offset <= 0 || f.Offset >= int64(len(m.Data)) {
					t.Errorf("finding at %q, %#x", f.Path, f.Offset)
				}
			}
			if v.OK() == failed {
				t.Errorf("OK is %v", v.OK())
			}
		})
	}
}

// A finding about a tensor names the place of its offset in the file.
func TestFindingOffset(t *testing.T) {
	m := sample.Planned(t, sample.Chain(), 0, -1, 8, -1, -1)
	f := verify(t, m).Findings[0]
	if got := int32(binary.LittleEndian.Uint32(m.Data[f.Offset:])); got != 8 {
		t.Errorf("%d stands at %#x, want 8", got, f.Offset)
	}
	want := Use{ID: "0:2", Name: "a", First: 1, Last: 2, Start: 8, End: 24}
	if diff := cmp.Diff([]Use{want}, f.Tensors); diff != "" {
		t.Error(diff)
	}
}

// The laws about buffers and entries.
func TestVerifyEntries(t *testing.T) {
	good := sample.PlanData(1, sample.ChainPlan)
	negative := bytes.Clone(good)
	binary.LittleEndian.PutUint32(negative[8:], 1<<31)
	longer := bytes.Clone(good)
	binary.LittleEndian.PutUint32(longer[8:], 6)
	for _, c := range []struct {
		name  string
		plans [][]byte
		want  []verdict
	}{
		{"none", nil, nil},
		{"no data", [][]byte{nil}, []verdict{{LawBuffer, Failure}}},
		{"empty", [][]byte{{}}, []verdict{{LawBuffer, Failure}}},
		{"eleven bytes", [][]byte{good[:11]}, []verdict{{LawLength, Failure}}},
		{"header alone", [][]byte{good[:12]}, []verdict{{LawLength, Failure}}},
		{"an offset too short", [][]byte{good[:28]}, []verdict{{LawLength, Failure}}},
		{"one more than there are", [][]byte{longer}, []verdict{{LawLength, Failure}}},
		{"negative count", [][]byte{negative}, []verdict{{LawCount, Failure}}},
		{"four offsets", [][]byte{sample.PlanData(1, sample.ChainPlan[:4])}, []verdict{{LawCount, Failure}}},
		{"six offsets", [][]byte{sample.PlanData(1, append(sample.ChainPlan[:5:5], 0))}, []verdict{{LawCount, Failure}}},
		{"spare bytes", [][]byte{append(bytes.Clone(good), 1, 2, 3)}, nil},
		{"twice", [][]byte{good, good}, []verdict{{LawEntries, Note}}},
		{"differing", [][]byte{sample.PlanData(1, sample.Online(modelfile.Build(t, sample.Chain()))), good}, []verdict{{LawEntries, Failure}}},
		{"first broken", [][]byte{good[:12], good}, []verdict{{LawLength, Failure}}},
		{"last broken", [][]byte{good, good[:12]}, []verdict{{LawLength, Failure}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := sample.Chain()
			for _, p := range c.plans {
				source = sample.WithPlan(source, p)
			}
			v := verify(t, modelfile.Build(t, source))
			if diff := cmp.Diff(c.want, verdicts(v)); diff != "" {
				t.Errorf("(-want +got):\n%s%v", diff, v.Findings)
			}
			if c.want == nil && !v.OK() {
				t.Error("not OK")
			}
		})
	}
}

// A plan behind the flatbuffer is none: the runtime reads the data field alone.
func TestVerifyOutside(t *testing.T) {
	plan := sample.PlanData(1, sample.ChainPlan)
	data := sample.Behind(func(at uint64) encode.Model {
		m := sample.WithPlan(sample.Chain(), nil)
		m.Buffers[len(m.Buffers)-1] = encode.Buffer{Offset: at, Size: uint64(len(plan))}
		return m
	}, plan)
	if diff := cmp.Diff([]verdict{{LawBuffer, Failure}}, verdicts(verify(t, modelfile.Parse(t, data)))); diff != "" {
		t.Error(diff)
	}
}

func TestVerifyHead(t *testing.T) {
	v := verify(t, sample.Planned(t, sample.Chain(), 64, -1, 16, 0, -1))
	if v.Head != 80 || len(v.Pinned) != 3 || v.Planned != 4 {
		t.Errorf("head %d, %d of %d pinned", v.Head, len(v.Pinned), v.Planned)
	}
}

// Plans that TensorFlow Lite Micro's own tests embed and follow: each is right but
// for those in which inputs that nothing makes share an offset on purpose.
func TestRuntimeVectors(t *testing.T) {
	tensor := encode.Tensor{Shape: []int32{2, 2, 3}}
	add := func(in []int, out ...int) encode.Operator {
		return encode.Operator{Builtin: schema.BuiltinOperatorADD, Inputs: in, Outputs: out}
	}
	for _, c := range []struct {
		name      string
		inputs    []int
		operators []encode.Operator
		offsets   []int32
		want      Severity
	}{
		{"branch", []int{0}, []encode.Operator{add([]int{0}, 1), add([]int{0}, 2), add([]int{1, 2}, 3)}, []int32{-1, -1, -1, -1}, ""},
		{"row", []int{0}, []encode.Operator{add([]int{0}, 1), add([]int{1}, 2), add([]int{2}, 3)}, []int32{0, 48, 0, 48}, ""},
		{"overlapping inputs", []int{0, 1}, []encode.Operator{add([]int{0, 1}, 2), add([]int{2}, 3)}, []int32{0, 0, 48, -1}, Failure},
		{"two outputs", []int{0, 1}, []encode.Operator{add([]int{0, 1}, 2), add([]int{2}, 3, 4)}, []int32{0, 48, -1, 0, -1}, ""},
	} {
		s := encode.Subgraph{Inputs: c.inputs, Operators: c.operators}
		for range c.offsets {
			s.Tensors = append(s.Tensors, tensor)
		}
		s.Outputs = []int{len(c.offsets) - 1}
		v := verify(t, sample.Planned(t, encode.Model{Subgraphs: []encode.Subgraph{s}}, c.offsets...))
		if (c.want == Failure) == v.OK() {
			t.Errorf("%s: %v", c.name, v.Findings)
		}
	}
}

func embed(t sample.TB, m *tflite.Model, offsets []int32) (*rewrite.Result, *tflite.Model) {
	t.Helper()
	r, err := rewrite.Embed(m, offsets, rewrite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r, modelfile.Parse(t, r.Data)
}

// A law and how much it matters.
type verdict struct {
	Law      Law
	Severity Severity
}

package edit

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// cutConv returns convolutions cut along the channels or into strips, and the edits that restore them.
func cutConv(t *testing.T) (originals, cut []*tflite.Model, edits []*Edit) {
	t.Helper()
	for _, c := range convFiles() {
		for _, rows := range []bool{false, true} {
			m := modelfile.Parse(t, c.encode())
			e := keepAll(m, 0)
			if rows && !e.strips(m, 0) || !rows && (c.depthwise || !e.channels(m, 0)) {
				continue
			}
			e.Metadata = &Metadata{Name: "x", Data: []byte("x")}
			_, out := apply(t, m, e)
			back := &Edit{Removed: len(e.Tensors), Metadata: &Metadata{Name: "x"}}
			restored := Operator{Kind: Same, Inputs: []int{0, 1, 2}, Outputs: []int{3}}
			restored.Of = slices.IndexFunc(out.Subgraphs[0].Operators, func(o tflite.Operator) bool { return o.Name == m.Subgraphs[0].Operators[0].Name })
			if !rows {
				restored.Kind = Piece
				for i := 1; i < 3; i++ {
					tensor := &m.Subgraphs[0].Tensors[i]
					r := Reshaped{Tensor: i, Shape: tensor.Shape, Data: m.Buffer(tensor).Data}
					for k, added := range e.Tensors {
						if added.Like == i {
							r.Like = append(r.Like, 4+k)
						}
					}
					if isEmptied(&out.Subgraphs[0].Tensors[i]) {
						back.Reshaped = append(back.Reshaped, r)
					}
				}
			}
			back.Operators = []Operator{restored}
			originals, cut, edits = append(originals, m), append(cut, out), append(edits, back)
		}
	}
	return originals, cut, edits
}

// TestRestored restores the graph of a convolution that was cut.
func TestRestored(t *testing.T) {
	originals, cut, edits := cutConv(t)
	restored := 0
	for i, m := range cut {
		r, err := Apply(m, *edits[i], rewrite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		checkBehind(t, m, r)
		if diff := cmp.Diff(sample.GraphOf(originals[i]), sample.GraphOf(modelfile.Parse(t, r.Data))); diff != "" {
			t.Errorf("(-original +restored)\n%s", diff)
		}
		restored += len(edits[i].Reshaped)
	}
	if len(cut) < 8 || restored < 4 {
		t.Errorf("%d convolutions, %d tensors", len(cut), restored)
	}
}

// TestRestoredAudit: the audit sees what is not as it was asked for.
func TestRestoredAudit(t *testing.T) {
	_, cut, edits := cutConv(t)
	changes := map[string]func(e *Edit){
		"shape":       func(e *Edit) { e.Reshaped[0].Shape = append([]int32{1}, e.Reshaped[0].Shape...) },
		"data":        func(e *Edit) { e.Reshaped[0].Data = make([]byte, len(e.Reshaped[0].Data)) },
		"tensor":      func(e *Edit) { e.Reshaped[0].Tensor = 0 },
		"order":       func(e *Edit) { slices.Reverse(e.Reshaped[0].Like) },
		"one less":    func(e *Edit) { e.Reshaped[0].Like = e.Reshaped[0].Like[1:] },
		"like itself": func(e *Edit) { e.Reshaped[0].Like = nil },
		"none":        func(e *Edit) { e.Reshaped = e.Reshaped[1:] },
		"removed":     func(e *Edit) { e.Removed-- },
		"valid":       func(e *Edit) { e.Operators[0].Kind = Valid },
		"same":        func(e *Edit) { e.Operators[0].Kind = Same },
		"bare":        func(e *Edit) { e.Operators[0].Kind = Bare },
		"metadata":    func(e *Edit) { e.Metadata = nil },
	}
	tensors, kinds := []string{"order", "one less", "like itself", "shape", "data", "tensor", "none"}, map[string]Kind{"same": Same, "valid": Valid}
	seen := map[string]bool{}
	for i, m := range cut {
		w, err := newEditor(m, edits[i])
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := applied(m, edits[i], rewrite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sites, _ := patch.FindSites(m)
		if err := w.audit(out, sites); err != nil {
			t.Fatal(err)
		}
		for name, change := range changes {
			other := *edits[i]
			other.Operators, other.Reshaped = slices.Clone(other.Operators), slices.Clone(other.Reshaped)
			for k := range other.Reshaped {
				other.Reshaped[k].Like = slices.Clone(other.Reshaped[k].Like)
			}
			ofTensor, ofQuantisation := slices.Contains(tensors, name), slices.Contains(tensors[:3], name)
			if same := name == "same" || name == "valid"; same && kinds[name] == other.Operators[0].Kind || ofTensor && len(other.Reshaped) == 0 ||
				ofQuantisation && m.Subgraphs[0].Tensors[0].Type != schema.TensorTypeINT8 {
				continue
			}
			change(&other)
			if w.e = &other; w.audit(out, sites) == nil {
				t.Errorf("%s: nothing is said", name)
			}
			seen[name] = true
		}
	}
	if len(seen) != len(changes) {
		t.Errorf("only %v", seen)
	}
}

// TestRestoredErrors: edits that restore or remove what they cannot are errors that say why.
func TestRestoredErrors(t *testing.T) {
	m := modelfile.Build(t, sample.Change(sample.Chain(), func(m *encode.Model) {
		m.Subgraphs[0].Tensors = append(m.Subgraphs[0].Tensors, encode.Tensor{Name: "empty", Shape: []int32{0, 0}}, encode.Tensor{Name: "last", Shape: []int32{1}})
	}))
	restored := func(r Reshaped) func(e *making) {
		return func(e *making) { e.Reshaped = append(e.Reshaped, r, Reshaped{Tensor: 6}) }
	}
	for want, change := range map[string]func(e *making){
		"tensor 7 cannot be reshaped: there are 7, each once":         restored(Reshaped{Tensor: 7}),
		"tensor -1 cannot be reshaped":                                restored(Reshaped{Tensor: -1}),
		"tensor 2 cannot be reshaped: it has elements or uses":        restored(Reshaped{Tensor: 2}),
		"reshaped tensor 5: FLOAT32[1 0] has no size":                 restored(Reshaped{Tensor: 5, Shape: []int32{1, 0}}),
		"reshaped tensor 5: data of 3 B for a tensor that takes 4 B":  restored(Reshaped{Tensor: 5, Shape: []int32{1}, Data: make([]byte, 3)}),
		"reshaped tensor 5: like tensors [7], but the subgraph has 7": restored(Reshaped{Tensor: 5, Shape: []int32{1}, Like: []int{7}}),
		"8 tensors cannot be removed from 7":                          func(e *making) { e.Removed = 8 },
		"-1 tensors cannot be removed from 7":                         func(e *making) { e.Removed = -1 },
		"1 tensors are removed and 1 added":                           func(e *making) { e.Removed = 1; e.like("new", 2, 1, 4) },
		`tensor 0:4 is removed, but it is used`:                       func(e *making) { e.Removed = 3 },
		"tensor 5 cannot be reshaped: there are 5, each once":         func(e *making) { e.Removed = 2; e.Reshaped = []Reshaped{{Tensor: 5}} },
		"operator code 0 is not that of a PAD or PADV2 of the file":   func(e *making) { e.Operators[0] = Operator{Kind: Bare, Inputs: []int{0, 1}, Outputs: []int{2}} },
		"operator code 9 is not that of a PAD or PADV2 of the file":   func(e *making) { e.Operators[0] = Operator{Kind: Bare, Code: 9} },
	} {
		e := keepAll(m, 0)
		change(e)
		checkEditError(t, m, &e.Edit, want)
	}
}

// TestOtherData: a constant gets other data if no kept operator reads it.
func TestOtherData(t *testing.T) {
	shape := encode.Buffer{Data: []byte{1, 0, 0, 0, 6, 0, 0, 0}}
	reshape := encode.Operator{Builtin: schema.BuiltinOperatorRESHAPE, Inputs: []int{0, 1}, Outputs: []int{2}}
	m := modelfile.Build(t, encode.Model{Buffers: []encode.Buffer{shape}, Subgraphs: []encode.Subgraph{{
		Tensors: []encode.Tensor{
			{Name: "in", Shape: []int32{6}},
			{Name: "shape", Shape: []int32{2}, Type: schema.TensorTypeINT32, Buffer: 1},
			{Name: "rows", Shape: []int32{1, 6}},
			{Name: "out", Shape: []int32{1, 6}},
		},
		Inputs: []int{0}, Outputs: []int{3},
		Operators: []encode.Operator{reshape, {Builtin: schema.BuiltinOperatorRELU, Inputs: []int{2}, Outputs: []int{3}}},
	}}})
	other := Reshaped{Tensor: 1, Shape: []int32{3}, Data: []byte{1, 0, 0, 0, 1, 0, 0, 0, 6, 0, 0, 0}}
	e := keepAll(m, 0)
	e.Reshaped = []Reshaped{other}
	checkEditError(t, m, &e.Edit, "tensor 1 cannot be reshaped")
	outside := modelfile.Build(t, encode.Model{External: []encode.ExternalBuffer{{Group: "g", Length: 8}}, Subgraphs: []encode.Subgraph{{
		Tensors: []encode.Tensor{{Name: "shape", Shape: []int32{2}, Type: schema.TensorTypeINT32, External: 1}},
	}}})
	checkEditError(t, outside, &Edit{Reshaped: []Reshaped{{Tensor: 0, Shape: other.Shape, Data: other.Data}}}, "tensor 0 cannot be reshaped")

	e.Reshaped = append(e.Reshaped, Reshaped{Tensor: 2, Shape: []int32{1, 1, 6}})
	e.Operators[0] = Operator{Kind: Piece, Of: 0, Inputs: []int{0, 1}, Outputs: []int{2}}
	_, got := apply(t, m, e)
	if constant := &got.Subgraphs[0].Tensors[1]; !slices.Equal(constant.Shape, other.Shape) || !slices.Equal(got.Buffer(constant).Data, other.Data) {
		t.Errorf("%v with %v", constant.Shape, got.Buffer(constant).Data)
	}
}

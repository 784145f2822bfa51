package edit

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// checkEditRefused fails unless an edit is refused, and is made when it can be forced.
func checkEditRefused(t *testing.T, m *tflite.Model, e *Edit, want string, force bool) {
	t.Helper()
	_, err := Apply(m, *e, rewrite.Options{})
	if refused := (*patch.RefusedError)(nil); !errors.As(err, &refused) || refused.Force != force || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q, force %v", err, want, force)
		return
	}
	r, err := Apply(m, *e, rewrite.Options{Force: true})
	if !force {
		if err == nil {
			t.Errorf("%s: forced", want)
		}
		return
	}
	if err != nil || !strings.Contains(strings.Join(r.Changes, "\n"), "forced, though refused: ") {
		t.Errorf("%s: forced: %+v, %v", want, r, err)
	}
}

// A table that is to be written anew, or whose fields are to be understood, has no field
// that is newer than the schema. One that is referred to may.
func TestApplyNewer(t *testing.T) {
	for _, table := range []string{"options", "operator", "tensor", "quantisation", "subgraph", "root"} {
		c := convFiles()[4]
		c.newer = table
		m := modelfile.Parse(t, c.encode())
		e := keepAll(m, 0)
		if table == "quantisation" {
			e.channels(m, 0)
		} else {
			e.strips(m, 0)
		}
		checkEditRefused(t, m, &e.Edit, "which is newer than this program's schema", false)
		e = keepAll(m, 0)
		e.tensor(Tensor{Name: "new", Like: -1, Shape: []int32{1}})
		_, err := Apply(m, e.Edit, rewrite.Options{})
		if anew := table == "subgraph" || table == "root"; (err != nil) != anew {
			t.Errorf("%s: %v", table, err)
		}
	}
}

// specials returns models whose operator 0 must stay what it is and where, and why.
func specials() map[string]encode.Model {
	with := func(f func(s *encode.Subgraph)) encode.Model {
		return sample.Change(sample.Fork(), func(m *encode.Model) { f(&m.Subgraphs[0]) })
	}
	return map[string]encode.Model{
		"variable": with(func(s *encode.Subgraph) { s.Tensors[1] = encode.Tensor{Shape: []int32{1}, Variable: true} }),
		"intermediates": with(func(s *encode.Subgraph) {
			s.Tensors = append(s.Tensors, encode.Tensor{Shape: []int32{1}})
			s.Operators[0].Intermediates = []int{6}
		}),
		"made twice":       with(func(s *encode.Subgraph) { s.Operators[2].Outputs = []int{2} }),
		"constant made":    with(func(s *encode.Subgraph) { s.Operators[0].Outputs = []int{1} }),
		"input made":       with(func(s *encode.Subgraph) { s.Operators[0].Outputs = []int{0} }),
		"read before made": with(func(s *encode.Subgraph) { s.Operators[0].Inputs = []int{3} }),
		"read, never made": with(func(s *encode.Subgraph) {
			s.Operators[0].Inputs = []int{6}
			s.Tensors = append(s.Tensors, encode.Tensor{})
		}),
		"reads what it made": with(func(s *encode.Subgraph) { s.Operators[0].Inputs = []int{2} }),
	}
}

// Operators whose tensors are more than made once and then read are kept, and so is their
// order; others around them may go.
func TestApplySpecial(t *testing.T) {
	for name, source := range specials() {
		m := modelfile.Build(t, source)
		dropped, piece, moved := keepAll(m, 0), keepAll(m, 0), keepAll(m, 0)
		dropped.Operators = dropped.Operators[1:]
		op := &m.Subgraphs[0].Operators[0]
		piece.Operators[0] = Operator{Kind: Piece, Inputs: op.Inputs, Outputs: op.Outputs}
		checkEditRefused(t, m, &dropped.Edit, "operator 0:0 ADD touches a variable", false)
		if name != "variable" {
			checkEditRefused(t, m, &piece.Edit, "operator 0:0 ADD touches a variable", false)
		} else if _, err := Apply(m, piece.Edit, rewrite.Options{}); err != nil {
			t.Errorf("%s: a piece with the same variable: %v", name, err)
		}
		if name == "made twice" || name == "read before made" {
			moved.Operators[0], moved.Operators[2] = moved.Operators[2], moved.Operators[0]
			checkEditRefused(t, m, &moved.Edit, "it has to keep its place", false)
		}
		other := keepAll(m, 0)
		other.Operators = append(other.Operators, Operator{Kind: Slice, Inputs: []int{0, 0, 0}, Outputs: []int{other.like("", 0, 1)}})
		if _, err := Apply(m, other.Edit, rewrite.Options{}); (err != nil) != (name == "input made") {
			t.Errorf("%s: another operator added: %v", name, err)
		}
	}
}

// Operators that have effects run once, and in their order those on the same state, unless that
// is forced.
func TestApplyEffects(t *testing.T) {
	source := sample.Fork()
	for i := range 2 {
		source.Subgraphs[0].Operators[i].Custom = "mine"
	}
	m := modelfile.Build(t, source)
	moved, piece := keepAll(m, 0), keepAll(m, 0)
	moved.Operators[0], moved.Operators[1] = moved.Operators[1], moved.Operators[0]
	piece.Operators[1] = Operator{Kind: Piece, Of: 1, Inputs: []int{0, 0}, Outputs: []int{5}}
	gone := keepAll(m, 0)
	gone.Operators[0] = Operator{Kind: Slice, Inputs: []int{0, 1, 1}, Outputs: []int{2}}
	for _, e := range []*making{moved, piece, gone} {
		want := "may have effects beyond its outputs, and would not run exactly once"
		if e == moved {
			want = "operator 0:1 mine would run before operator 0:0 mine, and both may have effects beyond their outputs"
		}
		checkEditRefused(t, m, &e.Edit, want, true)
		r, err := Apply(m, e.Edit, rewrite.Options{Force: true})
		if err != nil {
			t.Fatal(err)
		}
		checkApplied(t, m, &e.Edit, r)
	}
	between := keepAll(m, 0)
	between.Operators = append([]Operator{{Kind: Slice, Inputs: []int{0, 1, 1}, Outputs: []int{between.like("", 0, 4)}}}, between.Operators...)
	r, _ := apply(t, m, between)
	checkApplied(t, m, &between.Edit, r)
}

// TestApplyMetadata: metadata that names operators by index, and a plan that a vendor may rely
// on, prevent an edit unless forced.
func TestApplyMetadata(t *testing.T) {
	source := sample.Fork()
	source.Metadata[0].Name = "model_control_dependencies"
	m := modelfile.Build(t, source)
	e := keepAll(m, 0)
	e.copied(3, 1, 5)
	checkEditRefused(t, m, &e.Edit, "names operators by their index", true)

	source = sample.Fork()
	source.Subgraphs[0].Operators[1].Custom = "vendor"
	plan := sample.PlanData(1, []int32{-1, -1, -1, -1, -1, -1})
	plan[0] = 7
	checkEditRefused(t, modelfile.Build(t, sample.WithPlan(source, plan)), &e.Edit, "the memory plan of another tool", true)

	source = sample.Fork()
	source.Metadata[0].Name = compressionMetadata
	m = modelfile.Build(t, source)
	e = keepAll(m, 0)
	e.tensor(Tensor{Name: "new", Like: 1, Shape: []int32{1, 4}, Buffer: 1})
	checkEditRefused(t, m, &e.Edit, "how buffer 1 is compressed", false)
}

// The plan's own buffer goes with it, and is nothing that a tensor could hold.
func TestApplyPlanBuffer(t *testing.T) {
	m := modelfile.Build(t, sample.WithPlan(sample.Chain(), sample.PlanData(1, []int32{-1, -1, -1, -1, -1})))
	e := keepAll(m, 0)
	e.tensor(Tensor{Name: "new", Like: -1, Type: schema.TensorTypeINT32, Shape: []int32{1}, Buffer: 3})
	_, err := Apply(m, e.Edit, rewrite.Options{})
	if err == nil || !strings.Contains(err.Error(), "without the memory plan: added tensor 0: buffer 3") {
		t.Error(err)
	}
}

// Constants behind the flatbuffer, and the options there of a piece, move along.
func TestApplyAbsolute(t *testing.T) {
	tail := bytes.Repeat([]byte{3, 1, 4, 1}, 4)
	m := modelfile.Parse(t, sample.Behind(func(at uint64) encode.Model {
		source := sample.Chain()
		source.Buffers[0] = encode.Buffer{Offset: at, Size: 16}
		return source
	}, tail))
	e := keepAll(m, 0)
	e.copied(1, 0, 2)
	e.tensor(Tensor{Name: "same", Like: 1, Shape: []int32{4}, Buffer: 1})
	r, out := apply(t, m, e)
	checkApplied(t, m, &e.Edit, r)
	if b := out.Buffers[1]; !b.Outside || !bytes.Equal(b.Data, tail) {
		t.Errorf("%+v", b)
	}

	size := uint64(len(sample.LargeOptions(1 << 20)))
	m = modelfile.Parse(t, append(sample.LargeOptions(size), "options!"...))
	piece := Edit{Operators: []Operator{{Kind: Piece}, {Kind: Piece}}}
	r, err := Apply(m, piece, rewrite.Options{Force: true})
	if err != nil {
		t.Fatal(err)
	}
	out = modelfile.Parse(t, r.Data)
	for i := range out.Subgraphs[0].Operators {
		table := out.Subgraphs[0].Operators[i].Table()
		if at := table.LargeCustomOptionsOffset(); at != size+uint64(r.Added) || string(out.Data[at:at+8]) != "options!" {
			t.Errorf("the options of piece %d are at %d", i, at)
		}
	}
}

// Quantisations that cannot be cut, and ranges that do not fit, are refused.
func TestApplyChannelsErrors(t *testing.T) {
	m := modelfile.Parse(t, convFiles()[4].encode())
	for want, r := range map[string]Range{
		"channels [6, 9), the quantisation has 8":                {6, 9},
		"channels [2, 4) of dimension 0, the shape is [3 3 3 4]": {2, 4},
		"channels [0, 8) of dimension 0, the shape is [3 3 3 4]": {0, 8},
		"added tensor 0: channels [-1, 2) are none":              {-1, 2},
	} {
		e := keepAll(m, 0)
		e.tensor(Tensor{Like: 1, Shape: []int32{3, 3, 3, 4}, Channels: &r})
		checkEditError(t, m, &e.Edit, want)
	}
}

// A model without buffers gets the empty one that stands for no data.
func TestApplyNoBuffers(t *testing.T) {
	m := modelfile.Parse(t, sample.WithoutBuffers())
	if len(m.Buffers) != 0 {
		t.Fatal("it has buffers")
	}
	e := keepAll(m, 0)
	e.constant("new", []int32{2}, 1, 2)
	r, out := apply(t, m, e)
	checkApplied(t, m, &e.Edit, r)
	if len(out.Buffers) != 2 || out.Buffers[0].Present || len(out.Buffers[1].Data) != 8 {
		t.Errorf("%+v", out.Buffers)
	}
}

// Subgraphs that share a table, or a vector of operators, are edited one by one.
func TestApplyShared(t *testing.T) {
	for name, data := range map[string][]byte{"vector": sample.SharedVector(t), "subgraph": sample.SharedSubgraph(t)} {
		m := modelfile.Parse(t, data)
		for s := range m.Subgraphs {
			e := keepAll(m, s)
			e.copied(2, 0, 2)
			r, out := apply(t, m, e)
			checkApplied(t, m, &e.Edit, r)
			if a, b := len(out.Subgraphs[s].Operators), len(out.Subgraphs[1-s].Operators); a != 5 || b != 4 {
				t.Errorf("%s: %d and %d operators", name, a, b)
			}
		}
	}
}

// A new front cannot carry a flatbuffer beyond 2 GiB.
func TestApplyTooLarge(t *testing.T) {
	m := modelfile.Build(t, sample.Chain())
	m.FlatbufferEnd = 1<<31 - 100
	e := keepAll(m, 0)
	e.constant("new", []int32{1}, 1)
	checkEditRefused(t, m, &e.Edit, "the format ends at 2 GiB", false)
}

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
)

// second returns the path of a model of the folder "found/second".
func second(t *testing.T, name string) string {
	t.Helper()
	return filepath.Join(corpus.Dir(t), "found", "second", name+".tflite")
}

// TestFoundDecode: a budget of what the runtime needs is met, and no smaller one.
func TestFoundDecode(t *testing.T) {
	const needs = 3328
	for budget, code := range map[int64]int{needs - 96: exitCheck, needs - 16: exitCheck, needs: exitOK} {
		got := execute(noTerminal(), nil, "check", second(t, "decode"), "--abi", "host64", "--max-arena", strconv.FormatInt(budget, 10))
		if got.code != code || got.stderr != "" {
			t.Errorf("--max-arena %d: exit %d: %s%s", budget, got.code, got.stdout, got.stderr)
		}
	}
	if got := oracle.Start(t).Allocates(t, second(t, "decode"), needs, needs-16); !got[0] || got[1] {
		t.Errorf("the runtime allocates in %d bytes: %t, in %d: %t", needs, got[0], needs-16, got[1])
	}
	got := execute(noTerminal(), nil, "analyze", second(t, "decode"), "-o", "resolver=-")
	if !strings.Contains(got.stdout, "resolver.AddDecode()") || strings.Contains(got.stdout, "AddCustom") {
		t.Errorf("resolver: %s", got.stdout)
	}
}

// decodes is a model of so many TFLM_DECODE, whose outputs of these sizes in bytes are all outputs of the graph.
func decodes(sizes ...int) encode.Model {
	m, s := encode.Model{}, encode.Subgraph{Inputs: []int{0}, Tensors: []encode.Tensor{tensor("in", 16)}}
	add := func(t encode.Tensor) int {
		s.Tensors = append(s.Tensors, t)
		return len(s.Tensors) - 1
	}
	constant := func(data []byte) int {
		m.Buffers = append(m.Buffers, encode.Buffer{Data: data})
		return add(encode.Tensor{Name: "data", Type: schema.TensorTypeUINT8, Shape: []int32{int32(len(data))}, Buffer: len(m.Buffers)})
	}
	for i, n := range sizes {
		// A look-up table of two values for indices of one bit.
		ancillary := []byte{0, 1, 0, 0, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte(5 + i), 9}
		o := encode.Operator{Custom: "TFLM_DECODE", Inputs: []int{constant(make([]byte, (n+7)/8)), constant(ancillary)}}
		o.Outputs = []int{add(tensor("decoded", int32(n)))}
		s.Operators, s.Outputs = append(s.Operators, o), append(s.Outputs, o.Outputs[0])
	}
	m.Subgraphs = []encode.Subgraph{s}
	return m
}

// branched is a model with an output of 100 bytes that TFLM_DECODE makes, and one of an IF whose branches decode 200.
func branched() encode.Model {
	m := decodes(100, 200)
	s := &m.Subgraphs[0]
	branch := encode.Subgraph{Tensors: slices.Clone(s.Tensors[4:7]), Operators: slices.Clone(s.Operators[1:]), Outputs: []int{2}}
	branch.Operators[0].Inputs, branch.Operators[0].Outputs = []int{0, 1}, []int{2}
	s.Tensors[0] = encode.Tensor{Name: "condition", Type: schema.TensorTypeBOOL, Shape: []int32{1}}
	s.Operators[1] = encode.Operator{
		Builtin: schema.BuiltinOperatorIF, Inputs: []int{0}, Outputs: []int{6}, OptionsType: schema.BuiltinOptionsIfOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.IfOptionsStart(b)
			schema.IfOptionsAddThenSubgraphIndex(b, 1)
			schema.IfOptionsAddElseSubgraphIndex(b, 1)
			return schema.IfOptionsEnd(b)
		},
	}
	m.Subgraphs = append(m.Subgraphs, branch)
	return m
}

// TestDecompressionMemory: tensors decoded outside the arena take none of it, and a tensor that another operator
// overwrites there before it is read has a fault.
func TestDecompressionMemory(t *testing.T) {
	runtimes := oracle.Start(t)
	for _, c := range []struct {
		name   string
		model  encode.Model
		memory int64
		lost   bool
	}{
		{"no memory", decodes(100), 0, false},
		{"too small", decodes(100), 99, false},
		{"large enough", decodes(100), 100, false},
		{"for the first", decodes(100, 200), 100, false},
		{"for both", decodes(100, 200), 200, true},
		{"for both, the larger first", decodes(200, 100), 200, true},
		{"for the first, before a branch", branched(), 100, false},
		{"for a branch, too", branched(), 200, true},
	} {
		path := write(t, filepath.Join(t.TempDir(), "m.tflite"), encode.Encode(c.model))
		var flags []string
		if c.memory > 0 {
			flags = []string{"--decompression-memory", strconv.FormatInt(c.memory, 10)}
		}
		got := execute(noTerminal(), nil, append([]string{"check", path, "--abi", "host64", "--json"}, flags...)...)
		if lost := strings.Contains(got.stdout, "overwrites"); lost != c.lost || (got.code == exitCheck) != c.lost {
			t.Errorf("%s: exit %d: %s%s", c.name, got.code, got.stdout, got.stderr)
		}
		for _, command := range [][]string{{"rewrite", path, "--reorder", "-o", "-"}, {"fit", path, "--least", "-o", "-"}} {
			if refused := execute(noTerminal(), nil, append(command, flags...)...); (refused.code == exitCheck && refused.stdout == "") != c.lost {
				t.Errorf("%s: %v: exit %d: %s", c.name, command, refused.code, refused.stderr)
			}
		}
		_, rest, _ := strings.Cut(got.stdout, `"required_bytes": `)
		text, _, _ := strings.Cut(rest, ",")
		smallest, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		request := oracle.Request{Model: path, Inputs: 1, Outputs: len(c.model.Subgraphs[0].Outputs), Invokes: 1}
		without := runtimes.Tries(t, request, 1<<16)
		request.Decompression = c.memory
		with := runtimes.Tries(t, request, smallest, smallest-16)
		if with[0] == "" || with[1] != "" || (with[0] != without[0]) != c.lost {
			t.Errorf("%s: the runtime computes %q in an arena of %d B, %q in 16 B less and %q without the memory", c.name, with[0], smallest, with[1], without[0])
		}
	}
}

// TestDecodeBehindTables: a look-up table with too few values is a fault, and the runtime reads the
// byte after it.
func TestDecodeBehindTables(t *testing.T) {
	m := decodes(100)
	table := &m.Buffers[1].Data // of values 5 and 9
	for i := range m.Buffers[0].Data {
		m.Buffers[0].Data[i] = 0xaa
	}
	run := func(data []byte) string {
		path := write(t, filepath.Join(t.TempDir(), "m.tflite"), data)
		return oracle.Start(t).Tries(t, oracle.Request{Model: path, Inputs: 1, Outputs: 1, Invokes: 1}, 1<<16)[0]
	}
	for _, c := range []struct {
		values int
		fault  bool
	}{{2, false}, {1, true}} {
		*table = (*table)[:16+c.values]
		m.Subgraphs[0].Tensors[2].Shape = []int32{int32(len(*table))}
		data := encode.Encode(m)
		other := slices.Clone(data)
		other[bytes.Index(data, *table)+len(*table)] ^= 0x55
		if a, b := run(data), run(other); a == "" || b == "" || (a != b) != c.fault {
			t.Errorf("%d values: %q and, with another byte behind them, %q", c.values, a, b)
		}
		got := execute(noTerminal(), data, "check", "-", "--json")
		if fault := strings.Contains(got.stdout, "table of 1 values"); fault != c.fault || (got.code == exitCheck) != c.fault {
			t.Errorf("%d values: exit %d: %s%s", c.values, got.code, got.stdout, got.stderr)
		}
	}
}

// TestFoundLookup: in 1,040 bytes the runtime allocates, and its lookup computes zeros
// (rewrite/pin, TestLuckyArenas).
func TestFoundLookup(t *testing.T) {
	got := execute(noTerminal(), nil, "check", second(t, "EMBEDDING_LOOKUP.i8-f32"), "--abi", "host64", "--json")
	if !strings.Contains(got.stdout, `"required_bytes": 1056`) {
		t.Error(got.stdout)
	}
}

// TestFoundEthosU: the kernel is counted, and nothing else is said.
func TestFoundEthosU(t *testing.T) {
	for _, command := range [][]string{
		{"check", second(t, "ethos_u"), "--abi", "arm", "--max-arena", "1MiB"},
		{"check", filepath.Join(corpus.Dir(t), "models", "micro", "person_detect_vela.tflite"), "--abi", "arm"},
		{"analyze", second(t, "ethos_u"), "--abi", "arm"},
		{"rewrite", second(t, "ethos_u"), "--abi", "arm", "-o", filepath.Join(t.TempDir(), "out.tflite")},
	} {
		got := execute(noTerminal(), nil, command...)
		for _, text := range []string{"it is not known", "asked for none", "kernel of its own", "warning"} {
			if got.code != exitOK || strings.Contains(got.stdout+got.stderr, text) {
				t.Errorf("%q: exit %d: %s%s", command, got.code, got.stdout, got.stderr)
			}
		}
	}
}

// customModel writes a model with a custom operator between two that the runtime knows.
func customModel(t *testing.T, name string) string {
	t.Helper()
	tensor := encode.Tensor{Type: schema.TensorTypeINT8, Shape: []int32{64}}
	data := encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{{
		Tensors: []encode.Tensor{tensor, tensor, tensor, tensor}, Inputs: []int{0}, Outputs: []int{3},
		Operators: []encode.Operator{
			{Builtin: schema.BuiltinOperatorRELU, Inputs: []int{0}, Outputs: []int{1}},
			{Custom: name, Inputs: []int{1}, Outputs: []int{2}},
			{Builtin: schema.BuiltinOperatorRELU, Inputs: []int{2}, Outputs: []int{3}},
		},
	}}})
	path := filepath.Join(t.TempDir(), "custom.tflite")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestUnknownArena: where an application brings a kernel, no budget of arena or head is met, no
// command writes a figure of the arena, and a CSV file makes it known.
func TestUnknownArena(t *testing.T) {
	path, dir := customModel(t, "mine\x1b[31m\nevil"), t.TempDir()
	for _, budget := range []string{"--max-arena", "--max-head"} {
		got := execute(noTerminal(), nil, "check", path, budget, "1GiB")
		if got.code != exitCheck || !strings.HasPrefix(got.stdout, "NOT KNOWN") || strings.ContainsAny(got.stdout+got.stderr, "\x1b") {
			t.Errorf("%s: exit %d: %s%s", budget, got.code, got.stdout, got.stderr)
		}
	}
	if got := execute(noTerminal(), nil, "check", path, "--max-tensor", "1GiB"); got.code != exitOK {
		t.Errorf("--max-tensor: exit %d: %s%s", got.code, got.stdout, got.stderr)
	}
	out := filepath.Join(dir, "out.tflite")
	if got := execute(noTerminal(), nil, "fit", path, "--arena", "1GiB", "-o", out); got.code != exitCheck {
		t.Errorf("fit: exit %d: %s%s", got.code, got.stdout, got.stderr)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("fit wrote a model")
	}
	for _, command := range [][]string{
		{"check", path},
		{"analyze", path},
		{"rewrite", path, "-o", out},
		{"diff", path, path},
		{"rewrite", path, "--json", "-o", out},
		{"check", path, "--json"},
		{"analyze", path, "--json"},
		{"analyze", path, "-o", "cc=-"},
		{"check", path, path, "--max-arena", "1GiB"},
		{"check", path, "--max-arena", "1GiB", "-o", "markdown=-"},
		{"check", path, "--max-arena", "1GiB", "-o", "github=-"},
	} {
		got := execute(noTerminal(), nil, command...)
		for _, figure := range []string{"used_bytes\": 1", "tail_bytes", "PASS", "_ARENA_BYTES ", "\x1b"} {
			if strings.Contains(got.stdout, figure) {
				t.Errorf("%q: %s", command, got.stdout)
			}
		}
		if !strings.Contains(got.stdout+got.stderr, "known") {
			t.Errorf("%q does not say that the arena is not known: %s%s", command, got.stdout, got.stderr)
		}
	}
	known := func(csv string) rules.Figures {
		file := filepath.Join(dir, "scratch.csv")
		if err := os.WriteFile(file, []byte(csv), 0o644); err != nil {
			t.Fatal(err)
		}
		got := execute(noTerminal(), nil, "check", path, "--scratch", file, "--max-arena", "1GiB", "--json")
		var r results.Check
		if err := readOnly([]byte(got.stdout), &r); err != nil || got.code != exitOK {
			t.Fatalf("%q: exit %d: %s%s: %v", csv, got.code, got.stdout, got.stderr, err)
		}
		return r.Figures
	}
	none, kept := known("subgraph,operator,bytes\n0,1,0\n"), known("subgraph,operator,bytes,persistent\n0,1,0,100\n")
	if kept.Tail-none.Tail != 112 || kept.Head != none.Head {
		t.Errorf("with 100 persistent bytes: %+v, without: %+v", kept, none)
	}
	if got := execute(noTerminal(), nil, "fit", path, "--scratch", filepath.Join(dir, "scratch.csv"), "--arena", "1GiB", "-o", out); got.code != exitOK {
		t.Errorf("fit with a file: exit %d: %s%s", got.code, got.stdout, got.stderr)
	}
}

// TestFoundExternalWeights: constants after the flatbuffer are a fault that rewrite can mend, in one
// command with a plan, unless they are never read.
func TestFoundExternalWeights(t *testing.T) {
	path, out := second(t, "external_weights"), filepath.Join(t.TempDir(), "out.tflite")
	for _, command := range [][]string{{"check", path, "--max-arena", "64K"}, {"rewrite", path, "-o", out}, {"fit", path, "--arena", "64K", "-o", out}} {
		got := execute(noTerminal(), nil, command...)
		if got.code != exitCheck || !strings.Contains(got.stdout+got.stderr, "1 constant outside the flatbuffer") || !strings.Contains(got.stdout+got.stderr, "--repair") {
			t.Errorf("%q: exit %d: %s%s", command, got.code, got.stdout, got.stderr)
		}
	}
	if got := execute(noTerminal(), nil, "rewrite", path, "--repair", "-o", out); got.code != exitOK || !checked(t, out).Pass {
		t.Errorf("--repair: exit %d: %s%s", got.code, got.stdout, got.stderr)
	}
	got := execute(noTerminal(), nil, "rewrite", path, "--inline-weights", "--reorder", "--pin", "all", "-o", out, "--json")
	var r results.Rewrite
	if err := readOnly([]byte(got.stdout), &r); err != nil || got.code != exitOK || strings.Contains(got.stderr, "copy") {
		t.Fatalf("exit %d: %s%s: %v", got.code, got.stdout, got.stderr, err)
	}
	if r.Action != results.WeightsInlined && r.Action != results.Embedded {
		t.Errorf("action %s", r.Action)
	}
	a, twin := checked(t, out), checked(t, second(t, "inline_weights_twin"))
	if a.Required != twin.Required || !a.Pass {
		t.Errorf("smallest arena %d, of the twin %d", a.Required, twin.Required)
	}
	if again := execute(noTerminal(), nil, "rewrite", out, "--inline-weights", "-o", out+"2"); again.code != exitOK {
		t.Errorf("again: exit %d: %s", again.code, again.stderr)
	}
}

// TestUnreadOutsideConstant: a constant after the flatbuffer that no operator reads does no harm.
func TestUnreadOutsideConstant(t *testing.T) {
	tensor := encode.Tensor{Type: schema.TensorTypeFLOAT32, Shape: []int32{4}}
	unread := tensor
	unread.Buffer = 1
	source := encode.Model{
		Buffers: []encode.Buffer{{Offset: 1 << 20, Size: 16}},
		Subgraphs: []encode.Subgraph{{
			Tensors: []encode.Tensor{tensor, tensor, unread}, Inputs: []int{0}, Outputs: []int{1},
			Operators: []encode.Operator{{Builtin: schema.BuiltinOperatorRELU, Inputs: []int{0}, Outputs: []int{1}}},
		}},
	}
	source.Buffers[0].Offset = uint64(len(encode.Encode(source)))
	source.Tail = make([]byte, 16)
	path := filepath.Join(t.TempDir(), "unread.tflite")
	if err := os.WriteFile(path, encode.Encode(source), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := execute(noTerminal(), nil, "check", path, "--max-arena", "64K"); got.code != exitOK {
		t.Errorf("exit %d: %s%s", got.code, got.stdout, got.stderr)
	}
}

package results

import (
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/schema"
)

// The text of a model with another order of operators, and of one with many differences.
func TestDiffTextOfChanges(t *testing.T) {
	check := func(m encode.Model, top int, want string) {
		t.Helper()
		d := compare(t, encode.Encode(fork()), encode.Encode(m))
		if diff := golden.Like(want, d.Text(Style{Top: top})); diff != "" {
			t.Error(diff)
		}
	}
	m := fork()
	o := m.Subgraphs[0].Operators
	o[0], o[1], o[2] = o[1], o[2], o[0]
	check(m, 5, `head:         128 B -> 112 B, 16 B or 12.5 % less
lower bound:  128 B -> 112 B, 16 B or 12.5 % less
peak:         position 3, Op# 0:2 MEAN -> position 2, Op# 0:1 MEAN
file:         1,120 B (1.09 KiB), the same
result:       ... order of operators ...
operators:    6: 1 moved
moved:        Op# 0:0 FULLY_CONNECTED now 0:2
tensors:      8, the same
plan:         none ...
counted:      7 tensors, ...
note:         ...
`)
	m = withPlan(fork(), 0, -1, -1, -1, -1, -1, -1, -1)
	s := &m.Subgraphs[0]
	s.Operators[1].Builtin, s.Operators[3].Inputs = schema.BuiltinOperatorTANH, []int{4, 2}
	s.Operators[0], s.Operators[1], s.Operators[2] = s.Operators[1], s.Operators[2], s.Operators[0]
	s.Tensors[1].Name, s.Tensors[1].Shape, s.Tensors[2].Name, s.Tensors[3].Shape, s.Tensors[6].Shape = "kernel", []int32{4, 1}, "links", []int32{1, 32}, []int32{1, -1}
	s.Operators = append(s.Operators, encode.Operator{Builtin: schema.BuiltinOperatorTANH, Inputs: []int{2}, Outputs: []int{8}})
	s.Tensors = append(s.Tensors, encode.Tensor{Name: "extra", Shape: []int32{4}}, encode.Tensor{Name: "table", Shape: []int32{4}, Buffer: 1})
	m.Metadata = append(m.Metadata[1:], encode.Metadata{Name: "labels", Buffer: 2})
	check(m, 1, `head:         128 B -> 176 B, 48 B or 37.5 % more
lower bound:  128 B -> 176 B, 48 B or 37.5 % more
peak:         position 3, Op# 0:2 MEAN -> position 2, Op# 0:1 MEAN
file:         1,120 B (1.09 KiB) -> 1,344 B (1.31 KiB), 224 B or 20.0 % more
result:       ... order of operators, ... operators, ... tensors, ... memory plan and metadata ...
operators:    6 -> 7: 1 moved, 3 changed, 1 added (1 TANH)
moved:        Op# 0:0 FULLY_CONNECTED now 0:2
changed:      Op# 0:0 FULLY_CONNECTED: inputs
changed:      (2 others)
added:        Op# 0:6 TANH
tensors:      8 -> 10: 2 resized, 1 renamed, 1 removed, 3 added
resized:      T# 0:3 right: FLOAT32 [1,16] -> FLOAT32 [1,32], 64 -> 128 B
resized:      T# 0:6 flat: FLOAT32 [1,8] -> FLOAT32 [1,-1]
renamed:      T# 0:2 left now links
removed:      T# 0:1 weights: FLOAT32 [1,4], 16 B (constant)
added:        T# 0:8 extra: FLOAT32 [4], 16 B
added:        (2 others)
plan:         added, fixes 1 tensor
metadata:     added: labels
metadata:     removed: version
counted:      7 -> 8 tensors, ...
note:         ...
note:         of the second: 1 tensor ...
`)
	check(m, 0, `head:         128 B -> 176 B, 48 B or 37.5 % more
lower bound:  128 B -> 176 B, 48 B or 37.5 % more
peak:         position 3, Op# 0:2 MEAN -> position 2, Op# 0:1 MEAN
file:         1,120 B (1.09 KiB) -> 1,344 B (1.31 KiB), 224 B or 20.0 % more
result:       ... order of operators, ... operators, ... tensors, ... memory plan and metadata ...
operators:    6 -> 7: 1 moved, 3 changed, 1 added (1 TANH)
moved:        Op# 0:0 FULLY_CONNECTED now 0:2
changed:      Op# 0:0 FULLY_CONNECTED: inputs
changed:      Op# 0:1 RELU -> TANH: kind
changed:      Op# 0:3 ADD: inputs
added:        Op# 0:6 TANH
tensors:      8 -> 10: 2 resized, 1 renamed, 1 removed, 3 added
resized:      T# 0:3 right: FLOAT32 [1,16] -> FLOAT32 [1,32], 64 -> 128 B
resized:      T# 0:6 flat: FLOAT32 [1,8] -> FLOAT32 [1,-1]
renamed:      T# 0:2 left now links
removed:      T# 0:1 weights: FLOAT32 [1,4], 16 B (constant)
added:        T# 0:8 extra: FLOAT32 [4], 16 B
added:        T# 0:1 kernel: FLOAT32 [4,1], 16 B (constant)
added:        T# 0:9 table: FLOAT32 [4], 16 B (constant)
plan:         added, fixes 1 tensor
metadata:     added: labels
metadata:     removed: version
counted:      7 -> 8 tensors, ...
note:         ...
note:         of the second: 1 tensor ...
`)
}

func TestDiffText(t *testing.T) {
	a, b := fork(), fork()
	b.Subgraphs[0].Tensors[3].Name = "evil\x1b[2J" + strings.Repeat("x", 1000)
	b.Subgraphs[0].Operators[1].Builtin, b.Subgraphs[0].Operators[1].Custom = 0, strings.Repeat("y", 1000)
	d := compare(t, encode.Encode(a), encode.Encode(b))
	s := Style{Top: 1}
	s.Width = 80
	if text := d.Text(s); strings.Contains(text, "\x1b") || strings.Contains(text, strings.Repeat("x", 60)) || strings.Contains(text, strings.Repeat("y", 60)) {
		t.Error(text)
	}
	s.Width = 0
	if text := d.Text(s); strings.Contains(text, "\x1b") || !strings.Contains(text, strings.Repeat("y", 1000)) {
		t.Error(text)
	}
	s.Plain = true
	d.A.Head, d.B.Head = 0, 5
	if text := d.Text(s); !strings.HasPrefix(text, "head:         0 -> 5, 5 more\n") {
		t.Error(text)
	}
}

// Percents that would read as none or all are left to the bytes.
func TestGap(t *testing.T) {
	for _, c := range []struct {
		a, b int64
		want string
	}{
		{100, 75, "25 B or 25.0 % less"}, {100, 250, "150 B or 150.0 % more"}, {1 << 20, 1<<20 - 16, "16 B less"}, {0, 3, "3 B more"}, {100, 0, "100 B less"},
	} {
		if got := (Style{}).gap(c.a, c.b); got != c.want {
			t.Errorf("%d to %d: %q, want %q", c.a, c.b, got, c.want)
		}
	}
}

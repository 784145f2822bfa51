package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/expiry"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/schema"
)

// leftOut has one operator that makes nothing.
func leftOut(code schema.BuiltinOperator) encode.Model {
	return encode.Model{Subgraphs: []encode.Subgraph{{
		Name: "main", Tensors: []encode.Tensor{tensor("a", 4), tensor("b", 4)}, Inputs: []int{0}, Outputs: []int{1},
		Operators: []encode.Operator{operator(code, []int{0}, -1)},
	}}}
}

// silent is a row of operators, one of which asks for scratch and makes nothing.
func silent() encode.Model {
	picture := func(name string) encode.Tensor { return tensor(name, 1, 8, 8, 4) }
	sizes := encode.Tensor{Name: "k", Type: schema.TensorTypeINT32, Shape: []int32{4, 2}, Buffer: 1}
	return encode.Model{Buffers: []encode.Buffer{{Data: make([]byte, 32)}}, Subgraphs: []encode.Subgraph{{
		Name: "main", Tensors: []encode.Tensor{picture("a"), sizes, picture("b"), picture("c"), picture("d"), picture("e")},
		Inputs: []int{0}, Outputs: []int{4, 5},
		Operators: []encode.Operator{
			operator(schema.BuiltinOperatorRELU, []int{0}, 2), operator(schema.BuiltinOperatorSVDF, []int{2, 1}, -1),
			operator(schema.BuiltinOperatorRELU, []int{3}, 4), operator(schema.BuiltinOperatorADD, []int{2, 2}, 5),
		},
	}}}
}

// TestOutputsLeftOut: an operator whose only output is left out takes nothing over, and no
// command that plans is confused by it.
func TestOutputsLeftOut(t *testing.T) {
	sources := map[string]encode.Model{"silent": silent()}
	for _, code := range []schema.BuiltinOperator{schema.BuiltinOperatorRELU, schema.BuiltinOperatorCONCATENATION, schema.BuiltinOperatorPAD} {
		sources[code.String()] = leftOut(code)
	}
	dir := t.TempDir()
	for name, m := range sources {
		path := write(t, filepath.Join(dir, "model.tflite"), encode.Encode(m))
		for _, alias := range []string{"off", "safe", "elementwise", "overwrite", "diagonal"} {
			for _, line := range []string{"plan", "rewrite --allow-faults -o -", "rewrite --allow-faults --reorder --pin all -o -", "fit --allow-faults --least -o -", "fit --head 512B --allow-faults -o -"} {
				args := append(strings.Fields(line), "--alias", alias, path)
				got := execute(noTerminal(), nil, args...)
				met := got.code == exitOK || got.code == exitCheck && strings.HasPrefix(line, "fit --head")
				if !met || got.code == exitCheck && got.stdout != "" && strings.Contains(got.stdout, schema.Identifier) {
					t.Errorf("%s: %s --alias %s: exit code %d: %s", name, line, alias, got.code, got.stderr)
				}
				if line == "plan" && name != "silent" && alias != "off" && !strings.Contains(got.stdout, "no output") {
					t.Errorf("%s: --alias %s: %s", name, alias, got.stdout)
				}
			}
		}
	}
}

// convolutions is a row of convolutions of floats over pictures with so many rows and
// columns, with so many channels, 3x3 and dilated.
func convolutions(count int, rows, columns, channels, dilation int32) encode.Model {
	s := encode.Subgraph{Name: "main", Inputs: []int{0}, Outputs: []int{count}}
	for i := range count + 1 {
		s.Tensors = append(s.Tensors, encode.Tensor{Name: fmt.Sprint("picture ", i), Shape: []int32{1, rows, columns, channels}})
	}
	s.Tensors = append(s.Tensors, encode.Tensor{Name: "filter", Shape: []int32{channels, 3, 3, channels}, Buffer: 1})
	for i := range count {
		s.Operators = append(s.Operators, encode.Operator{
			Builtin: schema.BuiltinOperatorCONV_2D, Inputs: []int{i, count + 1}, Outputs: []int{i + 1}, OptionsType: schema.BuiltinOptionsConv2DOptions,
			Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
				schema.Conv2DOptionsStart(b)
				schema.Conv2DOptionsAddStrideH(b, 1)
				schema.Conv2DOptionsAddStrideW(b, 1)
				schema.Conv2DOptionsAddDilationHFactor(b, dilation)
				schema.Conv2DOptionsAddDilationWFactor(b, dilation)
				return schema.Conv2DOptionsEnd(b)
			},
		})
	}
	return encode.Model{Subgraphs: []encode.Subgraph{s}, Buffers: []encode.Buffer{{Data: make([]byte, 36*channels*channels)}}}
}

// TestHugePieces: padding for a window of a thousand million rows makes tensors larger than
// any number; fit takes other ways then, and does not fail.
func TestHugePieces(t *testing.T) {
	aliases := []string{"off", "overwrite", "diagonal"}
	for d, dilation := range []int32{1 << 28, 1 << 29, 1<<29 + 12345} {
		for c, channels := range []int32{4, 16, 17} {
			data := encode.Encode(convolutions(3, 64, 64, channels, dilation))
			for a, alias := range aliases {
				if (d+c+a)%len(aliases) > 0 && !*golden.Audit { // each pair of settings is still tried
					continue
				}
				got := execute(noTerminal(), data, "fit", "-", "-o", "json=-", "-o", filepath.Join(t.TempDir(), "out.tflite"), "--head", "1KiB", "--alias", alias)
				if got.code != exitCheck {
					t.Errorf("dilation %d, %d channels, --alias %s: exit code %d: %s", dilation, channels, alias, got.code, got.stderr)
				}
			}
		}
	}
}

// TestHugeDimensions: the work of a command does not grow with the dimensions in a file. Tiling
// pictures of more than 1,000 rows is more work, as finer tiles are possible, and so are pictures of
// more rows than overlaps are counted for.
func TestHugeDimensions(t *testing.T) {
	const looks = 200 // of a search that would go on, for whether its time is over
	dir := t.TempDir()
	for _, line := range []string{"analyze", "fit --head 1KiB -o -"} {
		cost := func(rows int32) uint64 {
			path := write(t, filepath.Join(dir, "model.tflite"), encode.Encode(convolutions(3, rows, 16, 1, 1)))
			before := allocated()
			ctx := expiry.Interrupted(looks)
			if got := executeIn(ctx, noTerminal(), nil, append(strings.Fields(line), path)...); got.code != exitOK && got.code != exitCheck && !(got.code == exitInterrupted && ctx.After() > 0) {
				t.Errorf("%s of %d rows: exit code %d: %s", line, rows, got.code, got.stderr)
			}
			return allocated() - before
		}
		const few = 1 << 18
		low := cost(few)
		for _, many := range []int32{1 << 24, 1 << 26, 1 << 28} {
			if high := cost(many); high > 3*low {
				t.Errorf("%s: %d B for %d rows and %d B for %d", line, low, few, high, many)
			}
		}
	}
}

// doubling are subgraphs each of which calls the next one twice.
func doubling(depth int) encode.Model {
	var m encode.Model
	for i := range depth {
		s := encode.Subgraph{
			Name: "main", Tensors: []encode.Tensor{{Name: "condition", Type: schema.TensorTypeBOOL, Shape: []int32{1}}, tensor("x", 16), tensor("y", 16)},
			Inputs: []int{0, 1}, Outputs: []int{2},
		}
		if i+1 < depth {
			s.Operators = []encode.Operator{{
				Builtin: schema.BuiltinOperatorIF, Inputs: []int{0, 0, 1}, Outputs: []int{2}, OptionsType: schema.BuiltinOptionsIfOptions,
				Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
					schema.IfOptionsStart(b)
					schema.IfOptionsAddThenSubgraphIndex(b, int32(i+1))
					schema.IfOptionsAddElseSubgraphIndex(b, int32(i+1))
					return schema.IfOptionsEnd(b)
				},
			}}
		}
		m.Subgraphs = append(m.Subgraphs, s)
	}
	return m
}

// TestDoublingCalls: a run of 2 to the power of 40 steps is not followed, and every command
// says alike that the file is to blame.
func TestDoublingCalls(t *testing.T) {
	data := encode.Encode(doubling(40))
	for _, line := range []string{
		"analyze -", "plan -", "plan - --alias safe", "rewrite - -o -", "rewrite - -o - --reorder", "verify -", "check - --max-arena 1KiB", "fit - -o - --least", "fit - -o - --head 1KiB", "compare -",
	} {
		before := allocated()
		got := execute(noTerminal(), data, strings.Fields(line)...)
		if got.code != exitInvalid || !strings.Contains(got.stderr, "too long") || got.stdout != "" && !strings.HasPrefix(line, "compare") {
			t.Errorf("%s: exit code %d: %s", line, got.code, got.stderr)
		}
		if bytes := allocated() - before; bytes > mostAllocated {
			t.Errorf("%s: %d B were allocated", line, bytes)
		}
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/expiry"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/schema"
)

// Models of the folder "found/second" on which commands panicked or reported a fault of their own: each command
// ends with an answer or with an error about the model.
func TestFoundPanics(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: many searches")
	}
	const looks = 100 // of a search that would go on, for whether its time is over
	dir := t.TempDir()
	fits := []string{
		"fit MODEL --least --alias diagonal --allow-faults -o OUT", "fit MODEL --head 1K --alias unmeasured --kernels esp-nn-s3 --allow-faults -o OUT",
		"fit MODEL --least -o OUT", "report MODEL --head 1K --alias diagonal -o OUT.html",
	}
	for name, lines := range map[string][]string{
		"fit_panic_conv_input_no_shape": fits, "fit_panic_pool_input_no_shape": fits, "fit_panic_window_23": append(fits, "fit MODEL --allow-faults"), "fit_panic_blocks_67": append(fits, "fit MODEL --head 1K --allow-faults -o OUT"),
		"fit_exit1_output_nobody_makes":              append(fits, "fit MODEL --least --allow-faults -o OUT"),
		"stream_segments_panic_missing_input":        {"stream MODEL --bandwidth 1K --macs-per-second 1e9 --budget 1G --default-delegate --segments " + filepath.Join(dir, "segments")},
		"rewrite_pin_all_variable_of_later_subgraph": {"rewrite MODEL --pin all --allow-faults -o OUT"},
	} {
		for _, line := range lines {
			args := strings.Fields(strings.NewReplacer("MODEL", found(t, filepath.Join("second", name)), "OUT", filepath.Join(dir, "out.tflite")).Replace(line))
			got := executeIn(expiry.Interrupted(looks), noTerminal(), nil, args...)
			if !slices.Contains([]int{exitOK, exitInvalid, exitCheck, exitInterrupted, exitNoAnswer}, got.code) || strings.Contains(got.stderr, "fault in tflarena") {
				t.Errorf("%s: %s: exit code %d: %s", name, line, got.code, got.stderr)
			}
		}
	}
}

// later is a model whose later subgraph has a variable at an index, with so many tensors before that subgraph.
func later(tensors, at int) encode.Model {
	first := encode.Subgraph{
		Name: "main", Inputs: []int{0, 1}, Outputs: []int{2},
		Tensors: []encode.Tensor{{Name: "condition", Type: schema.TensorTypeBOOL, Shape: []int32{1}}, tensor("x", 1, 64), tensor("y", 1, 64)},
		Operators: []encode.Operator{{
			Builtin: schema.BuiltinOperatorIF, Inputs: []int{0, 1}, Outputs: []int{2}, OptionsType: schema.BuiltinOptionsIfOptions,
			Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
				schema.IfOptionsStart(b)
				schema.IfOptionsAddThenSubgraphIndex(b, 1)
				schema.IfOptionsAddElseSubgraphIndex(b, 1)
				return schema.IfOptionsEnd(b)
			},
		}},
	}
	for i := len(first.Tensors); i < tensors; i++ {
		last := len(first.Tensors) - 1
		first.Tensors = append(first.Tensors, tensor(fmt.Sprint("more ", i), 1, int32(64*i)))
		first.Operators = append(first.Operators, operator(schema.BuiltinOperatorCONCATENATION, []int{last, last}, i))
	}
	first.Outputs = []int{len(first.Tensors) - 1}
	second := encode.Subgraph{Name: "branch"}
	for i := range 6 {
		x := tensor(fmt.Sprint("branch ", i), 1, int32(64*(1+(i*5)%6)))
		x.Variable = i == at
		second.Tensors = append(second.Tensors, x)
	}
	last := -1
	for i := range second.Tensors {
		switch {
		case i == at:
		case last < 0:
			second.Inputs, last = []int{i}, i
		default:
			second.Operators = append(second.Operators, operator(schema.BuiltinOperatorCONCATENATION, []int{last, at}, i))
			last = i
		}
	}
	second.Outputs = []int{last}
	return encode.Model{Subgraphs: []encode.Subgraph{first, second}}
}

// TestVariablesOfLaterSubgraphs: a plan that fixes all tensors leaves the entry open at which the runtime looks
// for a variable of a later subgraph, whichever tensor the entry belongs to.
func TestVariablesOfLaterSubgraphs(t *testing.T) {
	for tensors := 3; tensors < 8; tensors++ {
		for at := range 6 {
			for _, flags := range []string{"--pin all", "--pin all --force --strategy naive", "--pin all --alias diagonal", "--reorder --pin all"} {
				data := encode.Encode(later(tensors, at))
				got := execute(noTerminal(), data, append(strings.Fields("rewrite - -o - --allow-faults"), strings.Fields(flags)...)...)
				if got.code != exitOK {
					t.Fatalf("variable %d behind %d tensors, %s: exit code %d: %s", at, tensors, flags, got.code, got.stderr)
				}
				if judged := execute(noTerminal(), []byte(got.stdout), "verify", "-"); judged.code != exitOK {
					t.Errorf("variable %d behind %d tensors, %s: %s", at, tensors, flags, judged.stdout)
				}
			}
		}
	}
}

// TestOutputsOfSignaturesAlone: an output that only a signature lists is still available after a tiled,
// cleaned or reordered model has run.
func TestOutputsOfSignaturesAlone(t *testing.T) {
	looks := 1000
	if *golden.Audit {
		looks = 4000
	}
	for output := 1; output < 5; output++ {
		m := convolutions(4, 24, 24, 8, 1)
		m.Subgraphs[0].Operators[2] = operator(schema.BuiltinOperatorADD, []int{1, 2}, 3)
		m.Signatures = []encode.Signature{{Key: "serve", Inputs: map[string]int{"in": 0}, Outputs: map[string]int{"out": output}}}
		for _, outputs := range [][]int{nil, {4}} {
			m.Subgraphs[0].Outputs = outputs
			data := encode.Encode(m)
			for _, line := range []string{"fit - -o - --least --allow-faults", "fit - -o - --head 40K --allow-faults", "rewrite - -o - --reorder --allow-faults"} {
				got := executeIn(expiry.Interrupted(looks), noTerminal(), data, strings.Fields(line)...)
				if got.code != exitOK && got.code != exitInterrupted && got.code != exitCheck {
					t.Errorf("output %d of a signature, %v of the subgraph: %s: exit code %d: %s", output, outputs, line, got.code, got.stderr)
				}
			}
		}
	}
}

// TestFoundFigures: a plan states any version, and a model of one large operator is worth tiling.
func TestFoundFigures(t *testing.T) {
	got := execute(noTerminal(), nil, "verify", "--json", found(t, "second/verify_json_schema"))
	if err := checkSchema([]byte(got.stdout)); err != nil || !strings.Contains(got.stdout, `"plan_version": -2147483648`) {
		t.Errorf("verify: %v: %s", err, got.stdout)
	}
	got = execute(noTerminal(), nil, "plan", "--tiles", "--on-chip", "64K", "--time-limit", "10m", "--json", found(t, "second/elu_216x288x48"))
	var document struct {
		Models []struct {
			Total  int64 `json:"total_bytes"`
			Tiling struct {
				Whole int64 `json:"without_tiles_bytes"`
			}
		}
	}
	if err := json.Unmarshal([]byte(got.stdout), &document); err != nil || len(document.Models) != 1 {
		t.Fatalf("plan --tiles: %v: exit code %d: %s", err, got.code, got.stderr)
	}
	if m := document.Models[0]; m.Total <= 0 || m.Total > m.Tiling.Whole*3/5 {
		t.Errorf("plan --tiles: %d B of %d B", m.Total, m.Tiling.Whole)
	}
}

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/expiry"
	"github.com/tflarena/tflarena/schema"
)

// limitLines are commands that once took no notice of their time limit, or far more memory than their
// input. most is how much they may allocate in all, in MiB, of which a fraction is in use at a time.
var limitLines = []struct {
	line string
	most uint64
}{
	{"replay SECOND/laugh1.pickle", 8},
	{"replay SECOND/replay_devices_steps.csv", 512},
	{"replay SECOND/replay_steps_25000.csv", 512},
	{"replay SECOND/replay_block_2p50.jsonl", 8},
	{"plan SECOND/plan_alignments_1000.csv", 2048},
	{"plan SECOND/plan_alignments_3000.csv -s exact", 2048},
	{"plan SECOND/plan_gaps_lp.csv -o lp=OUT", 512},
	{"plan SECOND/tiles_2p24.tflite --tiles --on-chip 1G", 1024},
	{"plan SECOND/tiles_2p28.tflite --tiles --on-chip 1M --tile rows=1000 --cascade 5", 1024},
	{"plan SECOND/tiles_2p28.tflite --tiles --on-chip 16K", 1024},
	{"plan SECOND/elu_216x288x48.tflite --tiles --on-chip 64K", 1024},
	{"stream SECOND/stream_slice_dscnn.f32.tflite --bandwidth 1M --macs-per-second 1e9 --slice 64 --latency 1s", 4096},
	{"analyze SECOND/siamese_arena.tflite", 1024},
	{"report builtin:mobilenet-v2 --head 600K -o html=OUT", 4096},
	{"plan DIAMONDS --alias diagonal", 2048},
	{"stream DIAMONDS --bandwidth 1G --macs-per-second 1e9 --budget 1T", 2048},
	{"stream DIAMONDS --bandwidth 1G --macs-per-second 1e9 --budget 1T --segments FOLDER", 4096},
}

// However soon the time of a command is over, it ends with little more work, and what it allocates is
// bounded.
func TestLimitsOfFound(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: many searches")
	}
	const late = 100
	diamonds := write(t, filepath.Join(t.TempDir(), "diamonds.tflite"), encode.Encode(diamonds(5000)))
	for _, l := range limitLines {
		t.Run(l.line, func(t *testing.T) {
			for _, looks := range []int{0, 30} {
				dir := t.TempDir()
				args := strings.Fields(strings.NewReplacer(
					"SECOND", filepath.Join(corpus.Dir(t), "found", "second"), "DIAMONDS", diamonds,
					"OUT", filepath.Join(dir, "out"), "FOLDER", filepath.Join(dir, "segments"),
				).Replace(l.line))
				before := allocated()
				ctx := expiry.Interrupted(looks)
				got := executeIn(ctx, noTerminal(), nil, args...)
				if ctx.After() > late {
					t.Errorf("after %d looks: looked %d times more", looks, ctx.After())
				}
				if got.code == exitFailure || got.code == exitUsage || ctx.After() == 0 && got.code == exitInterrupted {
					t.Errorf("after %d looks: exit %d: %s", looks, got.code, got.stderr)
				}
				if bytes := (allocated() - before) >> 20; bytes > l.most {
					t.Errorf("after %d looks: allocated %d MiB, want at most %d", looks, bytes, l.most)
				}
			}
		})
	}
}

// diamonds returns a chain in which each of so many tensors is read by two operators, a RELU and an
// ADD that joins the two.
func diamonds(n int) encode.Model {
	g := encode.Subgraph{Inputs: []int{0}}
	tensor := func() int {
		g.Tensors = append(g.Tensors, encode.Tensor{Name: "t", Shape: []int32{1, 4, 4, 8}})
		return len(g.Tensors) - 1
	}
	x := tensor()
	for range n {
		y, z := tensor(), tensor()
		g.Operators = append(
			g.Operators,
			encode.Operator{Builtin: schema.BuiltinOperatorRELU, Inputs: []int{x}, Outputs: []int{y}},
			encode.Operator{Builtin: schema.BuiltinOperatorADD, Inputs: []int{x, y}, Outputs: []int{z}},
		)
		x = z
	}
	y := tensor()
	g.Operators = append(g.Operators, encode.Operator{Builtin: schema.BuiltinOperatorRELU, Inputs: []int{x}, Outputs: []int{y}})
	g.Outputs = []int{y}
	return encode.Model{Subgraphs: []encode.Subgraph{g}}
}

// At the time limit, compare shows the strategies that have finished, which those without search always do
// on few tensors, and a report has a page. Without any finished strategy there is no answer.
func TestShownAtTheLimit(t *testing.T) {
	before := byDefault
	defer func() { byDefault = before }()
	model := write(t, filepath.Join(t.TempDir(), "m.tflite"), encode.Encode(diamonds(50)))
	some, all := 0, 0
	for looks := 0; all == 0; looks += 1 + looks/4 {
		byDefault = func(context.Context, time.Duration) (context.Context, context.CancelFunc) {
			return expiry.New(looks), func() {}
		}
		got := execute(noTerminal(), nil, "compare", model)
		switch noted := strings.Contains(got.stderr, "--time-limit 1s was reached: "); {
		case got.code == exitOK && !noted:
			all++
		case got.code == exitOK && strings.Count(got.stdout, "not finished") < 8 && !strings.Contains(got.stdout, "  -"):
			some++
		default:
			t.Fatalf("after %d looks: exit %d: %s\n%s", looks, got.code, got.stderr, got.stdout)
		}
	}
	if some == 0 {
		t.Error("the limit never ended a search")
	}
	many := []byte("id,lower,upper,size\n")
	for i := range 2001 {
		many = fmt.Appendf(many, "%d,%d,%d,1\n", i, i, i+2)
	}
	byDefault = func(context.Context, time.Duration) (context.Context, context.CancelFunc) {
		return expiry.New(0), func() {}
	}
	if got := execute(noTerminal(), nil, "compare", write(t, filepath.Join(t.TempDir(), "many.csv"), many)); got.code != exitNoAnswer || got.stdout != "" {
		t.Errorf("many tensors: exit %d: %s\n%s", got.code, got.stderr, got.stdout)
	}
	page := filepath.Join(t.TempDir(), "page.html")
	got := execute(noTerminal(), nil, "report", model, "--head", "1K", "-o", page, "--time-limit", "1ns")
	if info, err := os.Stat(page); got.code != exitOK || err != nil || info.Size() == 0 || !strings.Contains(got.stdout, "time limit") {
		t.Errorf("report: exit %d, %v: %s\n%s", got.code, err, got.stderr, got.stdout)
	}
}

package benchmarks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/golden"
)

// A fittedRow is what became of a model under a budget.
type fittedRow struct {
	Model     string `json:"model"`
	Budget    string `json:"budget"`
	Own       int64  `json:"own_head_bytes"`
	Head      int64  `json:"head_bytes"`
	OwnTotal  int64  `json:"own_total_bytes"`
	Total     int64  `json:"total_bytes"`
	OwnMACs   int64  `json:"own_macs"`
	ExtraMACs int64  `json:"extra_macs"`
	Tail      int64  `json:"extra_tail_bytes"`
	OwnCount  int    `json:"own_operators"`
	Operators int    `json:"operators"`
	File      int64  `json:"file_bytes"`
	Micro     string `json:"tflm_reason"`
	LiteRT    string `json:"litert_reason"`
}

// TestFitTable keeps fit.md what the last run of the real runtimes reported.
func TestFitTable(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "cmd", "tflarena", "testdata", "fitted.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []fittedRow
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	b.WriteString(fitIntroduction)
	for _, r := range list {
		runs := "both"
		switch {
		case r.Micro != "" && r.LiteRT != "":
			t.Errorf("%s runs in neither runtime", r.Model)
		case r.Micro != "":
			runs = "LiteRT alone runs it"
		case r.LiteRT != "":
			runs = "TensorFlow Lite Micro alone runs it"
		}
		if r.Own == 0 {
			continue
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %.1f | %s | %s | %s | %.1f %% | %s | %s |\n", r.Model, r.Budget, grouped(r.Own), grouped(r.Head),
			float64(r.Own)/float64(max(r.Head, 1)), grouped(r.OwnTotal), grouped(r.Total), grouped(r.Tail),
			100*float64(r.ExtraMACs)/float64(max(r.OwnMACs, 1)), grouped(int64(r.Operators)), runs)
	}
	b.WriteString(diagonalIntroduction)
	writeDiagonal(&b, list)
	b.WriteString(diagonalRemarks)
	b.WriteString(fitRemarks)
	const name = "fit.md"
	golden.File(t, name, b.Bytes())
}

const fitIntroduction = `# Models made to fit

` + "`tflarena fit`" + ` computes runs of operators tile by tile, in the order and with the memory plan that give the smallest arena.
Heads and totals are in bytes, as TensorFlow Lite Micro reports them before and after, with the reference kernels on a 64-bit
target. The tail there is about one and a half times the tail of a 32-bit target; "more tail" estimates by how much the tail of
a 32-bit target grows. Every head is the head that ` + "`fit`" + ` printed. Outputs are bit-identical in TensorFlow Lite Micro and in
LiteRT (its reference kernels), for two invokes on seeded inputs. Optimised float kernels may add in another order for another
shape, so some of the float models then differ in their last bits. Each row is the result of the first two
rounds of the search without a time limit, so that it does not depend on the machine; ` + "`fit`" + ` runs more rounds, and so do the
rows of the budgets 28,416, 100,304, 236,320, 248,000 and 660,000, of 222,000 with ` + "`--alias overwrite`" + `, of ` + "`--least --alias overwrite`" + ` for
vww_96 and face_detection (four rounds), and of the budgets 626,400 and, with ` + "`--max-overhead 7%`" + `, 120,000 (three). Repeat with
` + "`.ci/oracles && go test ./cmd/tflarena -run TestFitted -audit -update && go test ./benchmarks -run FitTable -update`" + `.

| model | budget | own head | head | times less | own total | total | more tail | extra work | operators | bit-identical in |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|
`

const fitRemarks = `
Extra work is counted in multiply-accumulates, for every operator that has any; the work of slices, pads and joins is not
counted. ` + "`--least`" + ` takes the least head at any price: for the small models, the persistent data of many copies of a convolution
make the whole arena larger than it was, and the command says so.

These are the budgets of interest. ` + "`TestFittedCorpus`" + ` runs every model of the corpus that ` + "`fit --least`" + ` cuts, plain and with
` + "`--alias overwrite`" + `, in both runtimes: wherever a runtime runs the model as it is, the outputs are bit-identical, and the heads
are those that ` + "`fit`" + ` printed. Reference kernels take minutes for FSRCNN and EDSR; these two run only with
` + "`go test ./cmd/tflarena -run TestFittedCorpus -audit -macs 100000000000 -timeout 2h`" + `.

With ` + "`--alias overwrite`" + `, tiles lie over bytes that have been read for the last time. The contents of the model's input are
lost, and the plan is right with the reference kernels.

For the budget 100,304 of ` + "`mcunet`" + `, the search before ` + "`rewrite/shrink`" + ` needed an arena of 260,048 B and 5.3 % more
multiply-accumulates.

What keeps the head from becoming smaller:

- ` + "`tf2_mobilenet_v2`" + `: without takeovers, the first operator, QUANTIZE from unsigned bytes. It takes 301,056 B with its input and
  output, because TensorFlow Lite Micro has no kernel that cuts a tensor of unsigned bytes. In place it takes 150,528 B, the
  picture, and the rest are windows of the first convolutions.
- ` + "`paper/deeplabv3_257_mv_gpu`" + `: its output, 5,548,128 B.
- ` + "`nets/fsrcnn_x4`" + `: its output, 24,883,200 B. The head goes from 38,361,600 B (including scratch for TRANSPOSE_CONV) to
  24,888,960 B with ` + "`--least --alias overwrite`" + `, as planned.
- ` + "`nets/edsr_f32b5_fp32`" + `: its output and input, 24,883,200 B and 6,220,800 B. The head goes from 331,776,000 B (265,420,800 B
  with a plan) to 49,766,400 B with ` + "`--head 50000000`" + ` and no additional multiply-accumulates. After five minutes of
  search, the head is 31,608,480 B with ` + "`--least --alias safe`" + `, for 34.6 % more, and 26,355,456 B with
  ` + "`--least --alias overwrite`" + `, for 38.9 % more, all as planned.
- ` + "`nets/hair_segmentation`" + `, ` + "`nets/selfie_segmentation`" + `: skip tensors between custom operators that nobody can cut. As planned,
  the heads go from 6,815,744 B to 5,242,880 B and from 4,194,304 B to 3,145,744 B with ` + "`--least --alias overwrite`" + `.
- ` + "`nets/pefm_hourglass_v1`" + `, a U-shaped net: skip tensors, but small ones.
- UINT8 MobileNets: TensorFlow Lite Micro does not support their operators, so ` + "`fit`" + ` does not tile them.

MCUNetV2 reports 8 times less memory for MobileNet v2, msf-CNN half of that again for smaller models, StreamNet the same with
less work done twice, and Pex 4 times less. They do not count the picture at the peak, or they run kernels of their own. Here
the picture is whole, as TensorFlow Lite Micro has it, and the file runs in an unmodified runtime. The price is what the runtime
keeps for each added operator: the budgets above take the whole arena into account, and ` + "`--least`" + ` does not.
`

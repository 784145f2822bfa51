package benchmarks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFitTable keeps fit.md what the last run of the real runtimes reported.
func TestFitTable(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "cmd", "tflarena", "testdata", "fitted.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Model     string `json:"model"`
		Budget    string `json:"budget"`
		Own       int64  `json:"own_head_bytes"`
		Head      int64  `json:"head_bytes"`
		OwnTotal  int64  `json:"own_total_bytes"`
		Total     int64  `json:"total_bytes"`
		OwnMACs   int64  `json:"own_macs"`
		ExtraMACs int64  `json:"extra_macs"`
		Tail      int64  `json:"extra_tail_bytes"`
		Operators int    `json:"operators"`
		File      int64  `json:"file_bytes"`
		Micro     string `json:"tflm_reason"`
		LiteRT    string `json:"litert_reason"`
	}
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
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %.1f | %s | %s | %.1f %% | %s | %s |\n", r.Model, r.Budget, grouped(r.Own), grouped(r.Head),
			float64(r.Own)/float64(max(r.Head, 1)), grouped(r.OwnTotal), grouped(r.Total),
			100*float64(r.ExtraMACs)/float64(max(r.OwnMACs, 1)), grouped(int64(r.Operators)), runs)
	}
	b.WriteString(fitRemarks)
	const name = "fit.md"
	if *update {
		if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s is stale; run go test ./benchmarks -run FitTable -update (-file +now):\n%s", name, diff)
	}
}

const fitIntroduction = `# Models made to fit

` + "`tflarena fit`" + `: runs of operators computed piece by piece, in the order and with the memory plan of the smallest arena. Heads
and totals are what TensorFlow Lite Micro reports before and after (reference kernels, 64-bit, where the tail is about
one and a half times that of a 32-bit target). Every head is the one that was printed. Outputs are bit-identical in
TensorFlow Lite Micro and in LiteRT (its reference kernels), two invokes on seeded inputs. Optimised float kernels may add
up in another order for another shape: some of the float models then differ in their last bits.
Repeat with ` + "`.ci/oracles && go test ./cmd/tflarena -run TestFitted -update && go test ./benchmarks -run FitTable -update`" + `.

| model | budget | own head | head | times less | own total | total | extra work | operators | bit-identical in |
|---|---|---:|---:|---:|---:|---:|---:|---:|---|
`

const fitRemarks = `
Extra work is in multiply-accumulates of convolutions and fully connected layers; what slices, pads and joins take is not
in it. ` + "`--least`" + ` takes the least head at any price: the persistent data of many copies of a convolution make the whole arena
larger than it was for the small models, and the command says so.

What binds: of ` + "`tf2_mobilenet_v2`" + ` the first operator, QUANTIZE from unsigned bytes, 301,056 B with its input and output: TensorFlow Lite
Micro has no kernel that cuts a tensor of unsigned bytes.

MCUNetV2 reports 8 times less for MobileNet v2, and Pex 4 times. They do not hold the picture in the peak or run kernels of
their own; here the picture is whole, as TensorFlow Lite Micro has it, and the file runs in an unmodified runtime.
`

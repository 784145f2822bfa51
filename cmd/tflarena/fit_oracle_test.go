package main

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
)

// A fitted is what the real runtimes did with a model that was made to fit. All but
// operators and work are in bytes; heads and totals are those that TensorFlow Lite Micro
// reports.
type fitted struct {
	Model  string `json:"model"`
	Budget string `json:"budget"`
	// Own and Head are the heads before and after, Total and OwnTotal the whole arenas.
	Own       int64 `json:"own_head_bytes"`
	Head      int64 `json:"head_bytes"`
	OwnTotal  int64 `json:"own_total_bytes"`
	Total     int64 `json:"total_bytes"`
	OwnMACs   int64 `json:"own_macs"`
	ExtraMACs int64 `json:"extra_macs"`
	// Tail is what the tail of a 32-bit target grows by, as estimated.
	Tail int64 `json:"extra_tail_bytes"`
	// OwnOperators and Operators are how many there are before and after.
	OwnOperators int   `json:"own_operators"`
	Operators    int   `json:"operators"`
	File         int64 `json:"file_bytes"`
	// Micro and LiteRT say why a runtime does not run the model, or how its outputs differ.
	Micro  string `json:"tflm_reason,omitempty"`
	LiteRT string `json:"litert_reason,omitempty"`
}

// fits are the models and the flags that are tried; the slow ones, and those that are much like
// another, with -audit alone.
var fits = []struct {
	model string
	flags []string
	slow  bool
	// rounds are the rounds of the search, 2 if it is zero.
	rounds int
}{
	{model: "micro/person_detect.tflite", flags: []string{"--head", "33500"}},
	{model: "micro/person_detect.tflite", flags: []string{"--head", "28500", "--alias", "elementwise"}},
	{model: "micro/person_detect.tflite", flags: []string{"--head", "26000", "--alias", "overwrite"}, slow: true},
	{model: "micro/person_detect.tflite", flags: []string{"--least"}, slow: true},
	{model: "micro/person_detect.tflite", flags: []string{"--least", "--alias", "overwrite"}, slow: true},
	{model: "micro/vww_96_int8.tflite", flags: []string{"--head", "46500"}},
	{model: "micro/vww_96_int8.tflite", flags: []string{"--head", "37000", "--alias", "overwrite"}, slow: true},
	{model: "micro/vww_96_int8.tflite", flags: []string{"--least"}, slow: true},
	{model: "micro/vww_96_int8.tflite", flags: []string{"--least", "--alias", "overwrite"}, slow: true, rounds: 4},
	{model: "micro/pretrainedResnet_quant.tflite", flags: []string{"--head", "33000"}},
	{model: "micro/pretrainedResnet_quant.tflite", flags: []string{"--head", "27000", "--alias", "elementwise", "--max-overhead", "0%"}, slow: true},
	{model: "micro/pretrainedResnet_quant.tflite", flags: []string{"--least", "--alias", "overwrite"}, slow: true},
	{model: "micro/pretrainedResnet.tflite", flags: []string{"--head", "132000"}, slow: true},
	{model: "nets/tf2_mobilenet_v2_1.0_224_ptq.tflite", flags: []string{"--head", "345000"}},
	{model: "nets/tf2_mobilenet_v2_1.0_224_ptq.tflite", flags: []string{"--head", "330000", "--alias", "elementwise"}, slow: true},
	{model: "nets/tf2_mobilenet_v2_1.0_224_ptq.tflite", flags: []string{"--head", "275000", "--alias", "overwrite"}, slow: true},
	{model: "nets/tf2_mobilenet_v2_1.0_224_ptq.tflite", flags: []string{"--least"}, slow: true},
	{model: "nets/tf2_mobilenet_v2_1.0_224_ptq.tflite", flags: []string{"--least", "--alias", "elementwise"}, slow: true},
	{model: "nets/tf2_mobilenet_v2_1.0_224_ptq.tflite", flags: []string{"--least", "--alias", "overwrite"}, slow: true},
	{model: "nets/mcunet-320kb-1mb_imagenet.tflite", flags: []string{"--head", "185000"}},
	{model: "nets/mcunet-320kb-1mb_imagenet.tflite", flags: []string{"--head", "160000", "--alias", "elementwise"}, slow: true},
	{model: "nets/mcunet-320kb-1mb_imagenet.tflite", flags: []string{"--head", "120000", "--alias", "overwrite", "--max-overhead", "7%"}, slow: true, rounds: 3},
	{model: "nets/mcunet-320kb-1mb_imagenet.tflite", flags: []string{"--head", "120000", "--arena", "248000", "--alias", "overwrite", "--pointer", "4"}, slow: true, rounds: 4},
	{model: "nets/mcunet-320kb-1mb_imagenet.tflite", flags: []string{"--least"}, slow: true},
	{model: "nets/mobilenet_v1_0.25_128.tflite", flags: []string{"--head", "330000"}, slow: true},
	{model: "nets/mobilenet_v1_0.25_128.tflite", flags: []string{"--head", "222000", "--alias", "overwrite"}, slow: true, rounds: 4},
	{model: "nets/mobilenet_v1_0.25_128.tflite", flags: []string{"--least"}, slow: true},
	{model: "nets/mobilenet_v1_0.25_128_quant.tflite", flags: []string{"--least"}},
	{model: "nets/face_detection_front.tflite", flags: []string{"--least"}, slow: true},
	{model: "nets/face_detection_front.tflite", flags: []string{"--least", "--alias", "overwrite"}, slow: true, rounds: 4},
	{model: "nets/nmp.tflite", flags: []string{"--least"}, slow: true},
	{model: "nets/pefm_hourglass_v1.tflite", flags: []string{"--least", "--alias", "overwrite"}, slow: true},
	{model: "paper/deeplabv3_257_mv_gpu.tflite", flags: []string{"--least", "--alias", "overwrite"}, slow: true},
	{model: "nets/mcunet-320kb-1mb_imagenet.tflite", flags: []string{"--least", "--alias", "overwrite"}, slow: true},
	{model: "nets/mobilenet_v1_0.25_128.tflite", flags: []string{"--least", "--alias", "overwrite"}, slow: true},
	{model: "micro/str_ww_ref_model.tflite", flags: []string{"--least"}},
	{model: "micro/person_detect.tflite", flags: []string{"--head", "26000", "--alias", "diagonal"}, slow: true},
	{model: "micro/vww_96_int8.tflite", flags: []string{"--head", "29000", "--alias", "diagonal"}, slow: true},
	{model: "micro/pretrainedResnet_quant.tflite", flags: []string{"--head", "27000", "--max-overhead", "0%", "--alias", "diagonal"}, slow: true},
	{model: "corner/test_model_redux_precision.bin", flags: []string{"--least"}},
	{model: "nets/mobilenet_edgetpu_0.75_224_post_training_quant.tflite", flags: []string{"--least"}, slow: true},
	{model: "micro/vww_96_int8.tflite", flags: []string{"--head", "37000", "--alias", "diagonal"}},
	{model: "micro/vww_96_int8.tflite", flags: []string{"--head", "28416", "--alias", "diagonal"}, slow: true, rounds: 4},
	{model: "micro/pretrainedResnet_quant.tflite", flags: []string{"--head", "35840", "--alias", "diagonal"}},
	{model: "nets/mobilenet_v1_0.25_128.tflite", flags: []string{"--head", "222000", "--alias", "diagonal"}, slow: true},
	{model: "nets/mobilenet_v1_0.25_128.tflite", flags: []string{"--head", "200704", "--alias", "diagonal"}, slow: true},
	{model: "nets/tf2_mobilenet_v2_1.0_224_ptq.tflite", flags: []string{"--head", "361984", "--alias", "diagonal"}, slow: true},
	{model: "nets/mcunet-320kb-1mb_imagenet.tflite", flags: []string{"--head", "120000", "--max-overhead", "7%", "--alias", "diagonal"}, slow: true},
	{model: "nets/tf2_mobilenet_v2_1.0_224_ptq.tflite", flags: []string{"--head", "275000", "--alias", "diagonal"}, slow: true},
	{model: "nets/mcunet-320kb-1mb_imagenet.tflite", flags: []string{"--head", "100304", "--alias", "diagonal"}, slow: true, rounds: 4},
	{model: "paper/deeplabv3_257_mv_gpu.tflite", flags: []string{"--head", "5553680", "--alias", "diagonal"}, slow: true},
	{model: "micro/person_detect.tflite", flags: []string{"--head", "11776", "--arena", "250000", "--alias", "diagonal"}, slow: true},
	{model: "micro/pretrainedResnet_quant.tflite", flags: []string{"--head", "14656", "--arena", "216000", "--alias", "diagonal"}, slow: true},
	{model: "nets/tf2_mobilenet_v2_1.0_224_ptq.tflite", flags: []string{"--head", "177888", "--arena", "660000", "--alias", "diagonal"}, slow: true, rounds: 4},
	{model: "nets/face_detection_front.tflite", flags: []string{"--head", "236320", "--arena", "568738", "--alias", "diagonal"}, slow: true, rounds: 4},
	{model: "nets/pefm_hourglass_v1.tflite", flags: []string{"--head", "626400", "--arena", "2176016", "--alias", "diagonal"}, slow: true, rounds: 3},
	{model: "nets/torchaudio_conformer.tflite", flags: []string{"--head", "20000000"}, slow: true},
}

// onlyFits selects fits, which may take a quarter of an hour each.
var onlyFits = flag.String("fits", "", "with -audit, try only the fits whose model and flags contain `TEXT`")

// chosenFit reports whether a fit is tried in this run.
func chosenFit(i int) bool {
	return *golden.Audit && strings.Contains(fits[i].model+" "+strings.Join(fits[i].flags, " "), *onlyFits) || !*golden.Audit && !fits[i].slow
}

// TestFitted makes models fit and runs them in both real runtimes, in each with the same
// kernels before and after: outputs are bit-identical, and heads those that were printed.
func TestFitted(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: the real runtimes take minutes")
	}
	corpus.Dir(t) // without the corpus the whole test is left out, the golden file included
	outcomes := make([]fitted, len(fits))
	compare := func(leftOut func(i int) bool) {
		golden.Rows(t, filepath.Join("testdata", "fitted.json"), slices.Clone(outcomes), func(i int) bool {
			missed := outcomes[i].Operators == 0
			return !chosenFit(i) || missed && t.Failed() || leftOut(i)
		})
	}
	tryFits(t, outcomes, 2)
	compare(func(i int) bool { return fits[i].rounds > 2 })
	if *golden.Audit {
		tryFits(t, outcomes, 3)
		tryFits(t, outcomes, 4)
		compare(func(int) bool { return false })
	}
}

// tryFits tries the fits with a number of rounds.
func tryFits(t *testing.T, outcomes []fitted, rounds int) {
	t.Helper()
	setRounds(t, rounds)
	oracle.Each(t, len(fits), func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		if max(fits[i].rounds, 2) != rounds || !chosenFit(i) {
			return
		}
		outcomes[i] = tryFit(t, runtimes, fits[i].model, fits[i].flags)
	})
}

// narrowTail returns the tail of a model on a 32-bit target in bytes.
func narrowTail(t *testing.T, path string) int64 {
	t.Helper()
	got := execute(noTerminal(), nil, "check", path, "--json")
	var r results.Check
	if err := readOnly([]byte(got.stdout), &r); err != nil {
		t.Fatalf("check %s: exit %d: %s %v", path, got.code, got.stderr, err)
	}
	return r.Tail
}

func tryFit(t *testing.T, runtimes *oracle.Runtimes, model string, flags []string) fitted {
	t.Helper()
	f := corpus.File{Name: model, Path: filepath.Join(corpus.Dir(t), "models", filepath.FromSlash(model))}
	path := filepath.Join(t.TempDir(), "out.tflite")
	got := execute(noTerminal(), nil, append([]string{"fit", "--allow-faults", f.Path, "-o", path, "--json", "--pointer", "8", "--time-limit", "1h"}, flags...)...)
	o := fitted{Model: model, Budget: strings.Join(flags, " ")}
	var r results.Fit
	if err := readOnly([]byte(got.stdout), &r); err != nil || got.code != exitOK {
		t.Errorf("%s %s: exit %d: %s %v", model, o.Budget, got.code, got.stderr, err)
		return o
	}
	best := r.Steps[len(r.Steps)-1]
	o.OwnMACs, o.ExtraMACs, o.File = r.OwnMACs, best.ExtraMACs, best.FileBytes
	o.OwnOperators, o.Operators = r.Steps[0].Operators, best.Operators
	o.Tail = narrowTail(t, path) - narrowTail(t, f.Path)
	request := requestOf(t, f)
	for _, runtime := range []string{"tflm", "litert"} {
		request.Model = f.Path
		// Optimised kernels may add floats up in another order where a piece has another
		// shape than the whole.
		before := runWith(t, runtimes, request, runtime, "BUILTIN_REF")
		request.Model = path
		after := runWith(t, runtimes, request, runtime, "BUILTIN_REF")
		if (before.Error == "") != (after.Error == "") || !cmp.Equal(before.Outputs, after.Outputs) {
			t.Errorf("%s %s: other outputs in %s: %s", model, o.Budget, runtime, after.Error)
		}
		if runtime == "litert" {
			o.LiteRT = before.Error
			continue
		}
		o.Micro, o.Own, o.Head, o.OwnTotal, o.Total = before.Error, before.Head, after.Head, before.Total, after.Total
		mayGrow := flags[0] == "--least" || slices.Contains(flags, "--arena")
		if !mayGrow && after.Total > before.Total {
			t.Errorf("%s %s: the whole arena grew from %d to %d bytes", model, o.Budget, before.Total, after.Total)
		}
		if before.Head > 0 && after.Head != best.Head {
			t.Errorf("%s %s: printed head %d, the runtime reports %d", model, o.Budget, best.Head, after.Head)
		}
	}
	return o
}

package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/corpus"
	"github.com/tflarena/tflarena/internal/oracle"
	"github.com/tflarena/tflarena/internal/results"
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
	Tail      int64 `json:"extra_tail_bytes"`
	Operators int   `json:"operators"`
	File      int64 `json:"file_bytes"`
	// Micro and LiteRT say why a runtime does not run the model, or how its outputs differ.
	Micro  string `json:"tflm_reason,omitempty"`
	LiteRT string `json:"litert_reason,omitempty"`
}

// fits are the models and the flags that are tried.
var fits = []struct {
	model string
	flags []string
}{
	{"micro/person_detect.tflite", []string{"--head", "33500"}},
	{"micro/person_detect.tflite", []string{"--head", "28500", "--alias", "elementwise"}},
	{"micro/person_detect.tflite", []string{"--head", "26000", "--alias", "overwrite"}},
	{"micro/person_detect.tflite", []string{"--least"}},
	{"micro/person_detect.tflite", []string{"--least", "--alias", "overwrite"}},
	{"micro/vww_96_int8.tflite", []string{"--head", "46500"}},
	{"micro/vww_96_int8.tflite", []string{"--head", "37000", "--alias", "overwrite"}},
	{"micro/vww_96_int8.tflite", []string{"--least"}},
	{"micro/vww_96_int8.tflite", []string{"--least", "--alias", "overwrite"}},
	{"micro/pretrainedResnet_quant.tflite", []string{"--head", "33000"}},
	{"micro/pretrainedResnet_quant.tflite", []string{"--head", "27000", "--alias", "elementwise", "--max-overhead", "0%"}},
	{"micro/pretrainedResnet_quant.tflite", []string{"--least", "--alias", "overwrite"}},
	{"micro/pretrainedResnet.tflite", []string{"--head", "132000"}},
	{"nets/tf2_mobilenet_v2_1.0_224_ptq.tflite", []string{"--head", "345000"}},
	{"nets/tf2_mobilenet_v2_1.0_224_ptq.tflite", []string{"--head", "330000", "--alias", "elementwise"}},
	{"nets/tf2_mobilenet_v2_1.0_224_ptq.tflite", []string{"--head", "275000", "--alias", "overwrite"}},
	{"nets/tf2_mobilenet_v2_1.0_224_ptq.tflite", []string{"--least"}},
	{"nets/tf2_mobilenet_v2_1.0_224_ptq.tflite", []string{"--least", "--alias", "elementwise"}},
	{"nets/tf2_mobilenet_v2_1.0_224_ptq.tflite", []string{"--least", "--alias", "overwrite"}},
	{"nets/mcunet-320kb-1mb_imagenet.tflite", []string{"--head", "185000"}},
	{"nets/mcunet-320kb-1mb_imagenet.tflite", []string{"--head", "160000", "--alias", "elementwise"}},
	{"nets/mcunet-320kb-1mb_imagenet.tflite", []string{"--head", "120000", "--alias", "overwrite", "--max-overhead", "7%"}},
	{"nets/mcunet-320kb-1mb_imagenet.tflite", []string{"--head", "120000", "--arena", "248000", "--alias", "overwrite", "--pointer", "4"}},
	{"nets/mcunet-320kb-1mb_imagenet.tflite", []string{"--least"}},
	{"nets/mobilenet_v1_0.25_128.tflite", []string{"--head", "330000"}},
	{"nets/mobilenet_v1_0.25_128.tflite", []string{"--head", "222000", "--alias", "overwrite"}},
	{"nets/mobilenet_v1_0.25_128.tflite", []string{"--least"}},
	{"nets/mobilenet_v1_0.25_128_quant.tflite", []string{"--least"}},
	{"nets/face_detection_front.tflite", []string{"--least"}},
	{"nets/face_detection_front.tflite", []string{"--least", "--alias", "overwrite"}},
	{"nets/nmp.tflite", []string{"--least"}},
	{"nets/pefm_hourglass_v1.tflite", []string{"--least", "--alias", "overwrite"}},
	{"paper/deeplabv3_257_mv_gpu.tflite", []string{"--least", "--alias", "overwrite"}},
	{"nets/mcunet-320kb-1mb_imagenet.tflite", []string{"--least", "--alias", "overwrite"}},
	{"nets/mobilenet_v1_0.25_128.tflite", []string{"--least", "--alias", "overwrite"}},
	{"micro/str_ww_ref_model.tflite", []string{"--least"}},
	{"corner/test_model_redux_precision.bin", []string{"--least"}},
	{"nets/mobilenet_edgetpu_0.75_224_post_training_quant.tflite", []string{"--least"}},
}

// TestFitted makes models fit and runs them in both real runtimes, in each with the same
// kernels before and after: outputs are bit-identical, and heads those that were printed.
func TestFitted(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: the real runtimes take minutes")
	}
	outcomes := make([]fitted, len(fits))
	oracle.Each(t, len(fits), func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		outcomes[i] = tryFit(t, runtimes, fits[i].model, fits[i].flags)
	})
	compareGolden(t, filepath.Join("testdata", "fitted.json"), outcomes)
}

// narrowTail returns the tail of a model on a 32-bit target in bytes.
func narrowTail(t *testing.T, path string) int64 {
	t.Helper()
	got := execute(noTerminal(), nil, "check", path, "--json")
	var r results.Check
	if err := json.Unmarshal([]byte(got.stdout), &r); err != nil {
		t.Fatalf("check %s: exit %d: %s %v", path, got.code, got.stderr, err)
	}
	return r.TailBytes
}

func tryFit(t *testing.T, runtimes *oracle.Runtimes, model string, flags []string) fitted {
	t.Helper()
	f := corpus.File{Name: model, Path: filepath.Join(corpus.Dir(t), "models", filepath.FromSlash(model))}
	path := filepath.Join(t.TempDir(), "out.tflite")
	got := execute(noTerminal(), nil, append([]string{"fit", f.Path, "-o", path, "--json", "--pointer", "8"}, flags...)...)
	o := fitted{Model: model, Budget: strings.Join(flags, " ")}
	var r results.Fit
	if err := json.Unmarshal([]byte(got.stdout), &r); err != nil || got.code != exitOK {
		t.Errorf("%s %s: exit %d: %s %v", model, o.Budget, got.code, got.stderr, err)
		return o
	}
	best := r.Rungs[len(r.Rungs)-1]
	o.OwnMACs, o.ExtraMACs, o.Operators, o.File = r.OwnMACs, best.ExtraMACs, best.Operators, best.FileBytes
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
		if budget := flags[0] != "--least"; budget && after.Total > before.Total {
			t.Errorf("%s %s: the whole arena grew from %d to %d bytes", model, o.Budget, before.Total, after.Total)
		}
		if before.Head > 0 && after.Head != best.HeadBytes {
			t.Errorf("%s %s: printed head %d, the runtime reports %d", model, o.Budget, best.HeadBytes, after.Head)
		}
	}
	return o
}

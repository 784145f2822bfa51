package benchmarks

import (
	"path/filepath"
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// TestMicroHeads compares tflm-greedy with the arena heads that TensorFlow Lite Micro
// reported for real models (reference kernels, 64-bit host), scratch included.
func TestMicroHeads(t *testing.T) {
	dir := filepath.Join(corpus.Dir(t), "models")
	for name, want := range map[string]int64{
		"micro/person_detect.tflite":                     55296,
		"micro/keyword_scrambled.tflite":                 672,
		"micro/micro_speech_quantized.tflite":            5968,
		"micro/hello_world_int8.tflite":                  32,
		"micro/hello_world_float.tflite":                 128,
		"micro/trained_lstm.tflite":                      5696,
		"micro/dtln_noise_suppression.tflite":            1424,
		"nets/mobilenet_v2_quantized_1x3x224x224.tflite": 2451840,
		"micro/vww_96_int8.tflite":                       73728,
		"micro/pretrainedResnet_quant.tflite":            49152,
		"micro/pretrainedResnet.tflite":                  196608,
		"micro/kws_ref_model.tflite":                     16000,
		"micro/ad01_int8.tflite":                         768,
		"micro/ad01_fp32.tflite":                         3072,
		"micro/str_ww_ref_model.tflite":                  6656,
	} {
		m, err := tflite.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		r := rules.Micro()
		v, err := r.View(m, -1)
		if err != nil {
			t.Fatal(err)
		}
		records := v.WithScratch(oracle.Device(t).Requests(m))
		plan, err := alloc.Solve(t.Context(), records, alloc.Options{Approach: alloc.Offsets, Strategy: alloc.TFLMGreedy})
		if err != nil {
			t.Fatal(err)
		}
		if plan.Total != want {
			t.Errorf("%s: head %d, the runtime reported %d", name, plan.Total, want)
		}
	}
}

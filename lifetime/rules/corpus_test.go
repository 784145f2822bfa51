package rules_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

func corpusView(t *testing.T, path, runtime string) *rules.View {
	t.Helper()
	m, err := tflite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := rules.Lookup(runtime)
	if err != nil {
		t.Fatal(err)
	}
	v, err := r.View(m, -1)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestCorpusMaxLive compares the largest breadth with the runtime's own report for real models
// (reference kernels; models whose kernels request no scratch).
func TestCorpusMaxLive(t *testing.T) {
	dir := filepath.Join(corpus.Dir(t), "models")
	for name, bytes := range map[string]int64{
		"micro/person_detect.tflite":                     55296,
		"micro/micro_speech_quantized.tflite":            5968,
		"micro/hello_world_int8.tflite":                  32,
		"micro/hello_world_float.tflite":                 128,
		"nets/mobilenet_v2_quantized_1x3x224x224.tflite": 2451840,
		"micro/vww_96_int8.tflite":                       55296,
		"micro/pretrainedResnet_quant.tflite":            49152,
		"micro/pretrainedResnet.tflite":                  196608,
		"micro/kws_ref_model.tflite":                     16000,
		"micro/ad01_int8.tflite":                         768,
		"micro/ad01_fp32.tflite":                         3072,
		"micro/str_ww_ref_model.tflite":                  6656,
	} {
		if got := lifetime.MaxBreadth(corpusView(t, filepath.Join(dir, name), "tflm").Records()); got != bytes {
			t.Errorf("%s: %d bytes alive at the peak, the runtime reported %d", name, got, bytes)
		}
	}
}

// TestCorpusPaperRecords compares the records of the real files that are the
// papers' own networks with the published records.
func TestCorpusPaperRecords(t *testing.T) {
	dir := filepath.Join(corpus.Dir(t), "models")
	for name, problem := range map[string]string{
		"paper/mobilenet_v2_1.0_224_quant.tflite": "mobilenet_v2.csv",
		"paper/deeplabv3_257_mv_gpu.tflite":       "deeplab_v3.csv",
	} {
		var got []row
		for _, r := range corpusView(t, filepath.Join(dir, name), "paper").Records() {
			got = append(got, row{"", r.First, r.Last, r.Size})
		}
		byFirst(got)
		want(t, name+": records", readProblem(t, filepath.Join(dir, "paper_records", problem)), got)
	}
}

func byFirst(rows []row) {
	for i := range rows {
		for j := i; j > 0 && rows[j].First < rows[j-1].First; j-- {
			rows[j], rows[j-1] = rows[j-1], rows[j]
		}
	}
}

// readProblem reads id, lower, upper (exclusive), size.
func readProblem(t *testing.T, path string) []row {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for _, l := range lines[1:] {
		var n [4]int
		for i := 1; i < 4; i++ {
			if n[i], err = strconv.Atoi(l[i]); err != nil {
				t.Fatal(err)
			}
		}
		rows = append(rows, row{"", n[1], n[2] - 1, int64(n[3])})
	}
	return rows
}

// TestCorpusEveryTensorIsAccountedFor: each tensor of the planned subgraphs has either a record
// or a reason, and planners accept the records.
func TestCorpusEveryTensorIsAccountedFor(t *testing.T) {
	for _, f := range corpus.Accepted(t) {
		for _, runtime := range rules.Names() {
			v := corpusView(t, f.Path, runtime)
			tensors := 0
			for i, s := range v.Model.Subgraphs {
				if v.Subgraph < 0 || v.Subgraph == i {
					tensors += len(s.Tensors)
				}
			}
			if got := len(v.Records()) + len(v.LeftOut); got != tensors {
				t.Errorf("%s under %s: %d records and reasons for %d tensors", f.Name, runtime, got, tensors)
			}
			if err := lifetime.CheckRecords(v.Records()); err != nil {
				t.Errorf("%s under %s: %v", f.Name, runtime, err)
			}
		}
	}
}

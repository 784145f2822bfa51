package models

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
)

// usage is a record of a CSV problem; Last is inclusive.
type usage struct {
	First, Last int
	Size        int64
}

// TestRecords compares the usage records, in order, with those that were derived
// from the real files.
func TestRecords(t *testing.T) {
	dir := filepath.Join(corpus.Dir(t), "models", "paper_records")
	for _, name := range []string{"mobilenet-v1", "mobilenet-v2", "deeplab-v3", "posenet", "blazeface"} {
		want := readUsages(t, filepath.Join(dir, strings.ReplaceAll(name, "-", "_")+".csv"))
		var got []usage
		for _, r := range records(t, parse(t, build(t, name, Options{}), name)) {
			got = append(got, usage{r.First, r.Last, r.Size})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func readUsages(t *testing.T, path string) []usage {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var usages []usage
	for _, row := range rows[1:] {
		usages = append(usages, usage{number(t, row[1]), number(t, row[2]) - 1, int64(number(t, row[3]))})
	}
	return usages
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestOperatorsOfTheRealFiles compares operators, shapes and options with the published files,
// as far as the networks are the same.
func TestOperatorsOfTheRealFiles(t *testing.T) {
	for _, test := range []struct {
		name, file string
		change     func(built, real []string) ([]string, []string)
	}{
		{
			"mobilenet-v1", "mobilenet_v1_1.0_224_quant_embedding_extractor.tflite",
			func(built, real []string) ([]string, []string) { return built[:len(real)], real },
		},
		{"mobilenet-v2", "mobilenet_v2_1.0_224_quant.tflite", nil},
		{"deeplab-v3", "deeplabv3_257_mv_gpu.tflite", nil},
		{"posenet", "posenet_mobilenet_v1_075_353_481_quant.tflite", narrow},
		// The file is not depth first, but has the same operators.
		{
			"blazeface", "blazeface_mlkit_v1.tflite",
			func(built, real []string) ([]string, []string) {
				slices.Sort(built)
				slices.Sort(real)
				return built, real
			},
		},
	} {
		path := filepath.Join(corpus.Dir(t), "models", "paper", test.file)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		parse(t, data, path) // the accessors rely on the reader's verification
		want, got := outline(data), outline(build(t, test.name, Options{}))
		if test.change != nil {
			got, want = test.change(got, want)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-real +built):\n%s", test.name, diff)
		}
	}
}

// narrow maps the widths of the published PoseNet, 481 and so on, to the papers' 257. The
// published file is quantised and expresses activations by the output's range, so these cannot
// be compared.
func narrow(built, real []string) ([]string, []string) {
	widths := strings.NewReplacer(
		"353 481", "353 257", "177 241", "177 129", "89 121", "89 65", "45 61", "45 33", "23 31", "23 17")
	for i := range real {
		real[i] = widths.Replace(real[i])
		built[i] = strings.Replace(built[i], " RELU6", " NONE", 1)
	}
	return built, real
}

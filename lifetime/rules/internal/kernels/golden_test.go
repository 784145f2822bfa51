package kernels

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/tflite"
)

// columns are the columns of the recordings, with their libraries. A column missing in a file
// equals the next one here.
var columns = []struct{ name, like, library string }{
	{"reference", "", "reference"},
	{"scalar", "", "cmsis-nn-scalar"},
	{"scalar_size", "scalar", "cmsis-nn-scalar-size"},
	{"dsp", "", "cmsis-nn-dsp"},
	{"dsp_size", "dsp", "cmsis-nn-dsp-size"},
	{"mve", "", "cmsis-nn-mve"},
	{"mve_size", "mve", "cmsis-nn-mve-size"},
	{"esp32s3", "", "esp-nn-s3@1.2.3"},
	{"esp32p4", "", "esp-nn-p4@1.2.3"},
	{"esp_generic", "", "esp-nn-generic@1.2.3"},
	{"esp_ansi", "esp_generic", "esp-nn-ansi@1.2.3"},
}

// TestKernelScratch compares the scratch requests of kernels with those of the libraries' own
// code: the files of the folder TFLARENA_KERNELS, or else of "kernels" in the shared test data.
func TestKernelScratch(t *testing.T) {
	for file, model := range recorded {
		for _, kind := range []string{"", "_models"} {
			t.Run(file+kind, func(t *testing.T) { compareScratch(t, file+kind+".csv", model) })
		}
	}
}

func compareScratch(t *testing.T, file string, model func(recordedRow) encode.Model) {
	rows, wrong := recordings(t, file), map[string]int{}
	for i, r := range rows {
		m, err := tflite.Parse(encode.Encode(model(r)), file)
		if err != nil {
			t.Fatalf("row %d: %v", i+2, err)
		}
		for _, c := range columns {
			want, ok := r[c.name]
			for like := c.like; !ok; like = likeOf(like) {
				want, ok = r[like]
			}
			got := scratchOf(m, c.library)
			if got != want {
				if wrong[c.library]++; wrong[c.library] <= 3 {
					t.Errorf("row %d, %s: %s, the library asks for %s: %v", i+2, c.library, got, want, r)
				}
			}
		}
	}
	if len(wrong) > 0 {
		t.Errorf("%d rows, wrong: %v", len(rows), wrong)
	}
	t.Logf("%d rows", len(rows))
}

func likeOf(name string) string {
	for _, c := range columns {
		if c.name == name {
			return c.like
		}
	}
	return ""
}

// scratchOf formats the requests of a model like the recordings.
func scratchOf(m *tflite.Model, library string) string {
	var sizes []string
	Each(m, Build{named(library), ESP}, func(k *Kernel) { k.Prepare(&scratchRequests{&sizes}) })
	if len(sizes) == 0 {
		return "-"
	}
	return strings.Join(sizes, "+")
}

func named(library string) *Library {
	l, err := Lookup(library)
	if err != nil {
		panic(err)
	}
	return l
}

// scratchRequests receives only scratch requests.
type scratchRequests struct{ sizes *[]string }

func (scratchRequests) Temporary(*tflite.Tensor) {}
func (scratchRequests) Reads(Part)               {}
func (scratchRequests) Keep(_, _ int64)          {}
func (r *scratchRequests) Scratch(bytes int64)   { *r.sizes = append(*r.sizes, fmt.Sprint(bytes)) }

// A recordedRow is one case of a recording.
type recordedRow map[string]string

func (r recordedRow) int(column string) int {
	n, err := strconv.Atoi(r[column])
	if err != nil {
		panic(fmt.Sprintf("column %s: %v", column, err))
	}
	return n
}

func (r recordedRow) shape(columns ...string) (shape []int32) {
	for _, c := range columns {
		shape = append(shape, int32(r.int(c)))
	}
	return shape
}

// recordings reads a file; some kernels have no recording of the models' operators.
func recordings(t *testing.T, file string) (rows []recordedRow) {
	dir := os.Getenv("TFLARENA_KERNELS")
	if dir == "" {
		dir = filepath.Join(corpus.Dir(t), "kernels")
	}
	f, err := os.Open(filepath.Join(dir, file))
	if os.IsNotExist(err) && strings.HasSuffix(file, "_models.csv") {
		t.Skip("no model has such an operator")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cells, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range cells[1:] {
		r := recordedRow{}
		for i, column := range cells[0] {
			r[column] = line[i]
		}
		rows = append(rows, r)
	}
	return rows
}

// Package corpus finds the shared test data: real models, planner benchmarks and the records of papers.
// It is read in place and never copied.
package corpus

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/checkout"
)

// Dir returns the folder of shared test data: $TFLARENA_SHARED, or the folder "shared" next to the
// project. Without one it skips the test with a message, or fails it if TFLARENA_REQUIRE_SHARED is 1.
func Dir(t testing.TB) string {
	t.Helper()
	dir := Find()
	if dir != "" {
		return dir
	}
	const message = "left out: no shared test data (set TFLARENA_SHARED to its folder)"
	if os.Getenv("TFLARENA_REQUIRE_SHARED") == "1" {
		t.Fatal(message)
	}
	t.Skip(message)
	return ""
}

// Find returns the result of [Dir], or "" without shared test data.
func Find() string {
	dir := os.Getenv("TFLARENA_SHARED")
	if dir == "" {
		dir = checkout.Path("..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "models", "MANIFEST.tsv")); err != nil {
		return ""
	}
	return dir
}

// A File is one row of the corpus manifest.
type File struct {
	// Name is the path below the models folder, Path the path to open.
	Name, Path string
	// Exit is the expected exit code of "tflarena analyze".
	Exit int
}

// slow are models that take the reference kernels many seconds or minutes.
var slow = []string{
	"conv3d_huge_im2col", "conv_huge_im2col", "deeplab_mobilenet_edgetpu_slim_cityscapes_quant", "deeplabv3_257_mv_gpu",
	"edsr_f32b5_fp32", "face_stylization_dummy", "fsrcnn_x4", "lyragan", "mobilenet_edgetpu_0.75_224_post_training_quant",
	"mobilenet_v2_quantized_1x3x224x224", "nmp", "pefm_hourglass_v1", "pnet", "posenet_mobilenet_v1_075_353_481_16_quant_decoder",
	"posenet_mobilenet_v1_075_353_481_quant", "style_transfer_quantized_dynamic", "torchaudio_conformer",
}

// Slow reports whether the real runtimes take long for one run of the model, so that only the long form
// of tests runs it.
func (f File) Slow() bool {
	return slices.Contains(slow, strings.TrimSuffix(filepath.Base(f.Name), filepath.Ext(f.Name)))
}

// Models returns the model files of the manifest, in its order, without the CSV
// problems.
func Models(t testing.TB) []File {
	t.Helper()
	dir := filepath.Join(Dir(t), "models")
	f, err := os.Open(filepath.Join(dir, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var files []File
	for _, row := range rows[1:] {
		if filepath.Ext(row[0]) == ".csv" {
			continue
		}
		exit, err := strconv.Atoi(row[1])
		if err != nil {
			t.Fatalf("manifest row %s: %v", row[0], err)
		}
		files = append(files, File{row[0], filepath.Join(dir, filepath.FromSlash(row[0])), exit})
	}
	return files
}

// Accepted returns the valid files of [Models].
func Accepted(t testing.TB) (files []File) {
	t.Helper()
	for _, f := range Models(t) {
		if f.Exit == 0 {
			files = append(files, f)
		}
	}
	return files
}

// Model returns the model of the manifest whose last name is base.
func Model(t testing.TB, base string) File {
	t.Helper()
	for _, f := range Models(t) {
		if filepath.Base(f.Name) == base {
			return f
		}
	}
	t.Fatalf("the manifest has no model %s", base)
	return File{}
}

// Found returns the paths of models that once revealed a fault.
func Found(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(Dir(t), "found", "*.tflite"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d models in the folder \"found\": %v", len(paths), err)
	}
	return paths
}

// Table reads a CSV file of the shared data, by its path below the folder: a map from column to cell
// for each row.
func Table(t testing.TB, name string) []map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join(Dir(t), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cells, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, line := range cells[1:] {
		row := map[string]string{}
		for i, column := range cells[0] {
			row[column] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

package transform

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// A faulty is a model with a fault, and the libraries for which the repaired model is the same.
type faulty struct {
	name, libraries string
	model           *tflite.Model
	repaired        *Result
}

// yardsticks are models whose outputs LiteRT's reference kernels do not compute, or compute another way than
// TensorFlow Lite Micro, by the beginning of the name. The reason names what the repaired model is compared
// with instead.
var yardsticks = []struct{ name, with, why string }{
	{"fc_i16_perchannel", original, "LiteRT rounds FULLY_CONNECTED of INT16 otherwise"},
	{"a_cmsis_fc_i16_perchannel", original, "LiteRT rounds FULLY_CONNECTED of INT16 otherwise"},
	{"a_esp_fc_i16_perchannel", original, "LiteRT rounds FULLY_CONNECTED of INT16 otherwise"},
	{"fc_i16_bias32", original, "LiteRT reads the bias of INT32 as INT64"},
	{"a_cmsis_fc_i16_bias32", original, "LiteRT reads the bias of INT32 as INT64"},
	{"a_esp_fc_i16_bias32", original, "LiteRT reads the bias of INT32 as INT64"},
	{"fc_out_rank5_cmsis", original, "LiteRT rounds FULLY_CONNECTED otherwise"},
	{"fc_i4_perchannel", step, "LiteRT rounds FULLY_CONNECTED otherwise"},
	{"conv_i8_group_nobias", original, "LiteRT refuses CONV_2D without a bias"},
	{"conv_i4_group_cmsis_2", original, "LiteRT refuses CONV_2D without a bias"},
	{"conv_i8_nobias", original, "LiteRT refuses CONV_2D without a bias"},
	{"a_cmsis_conv_i", original, "LiteRT refuses CONV_2D without a bias"},
	{"a_esp_conv_nobias", original, "LiteRT refuses CONV_2D without a bias"},
	{"dw_bias_minus1", itself, "both runtimes refuse a bias of -1"},
	{"a_tflm_dw_minus1", itself, "both runtimes refuse a bias of -1"},
	{"dw_i16_bias32", itself, "LiteRT refuses a bias of INT32, and TensorFlow Lite Micro reads it as INT64"},
	{"svdf_bias_minus1_2", nothing, "LiteRT reads a state of INT8 as INT16, and TensorFlow Lite Micro refuses a bias of -1"},
	{"relu6_rescale", step, "LiteRT rounds RELU of INT8 otherwise"},
}

// What a repaired model is compared with: the original in TensorFlow Lite Micro, or in LiteRT with a tolerance of one
// output step, or the repaired model in LiteRT where the original runs nowhere; with nothing where LiteRT is wrong, too.
const (
	original = "original"
	step     = "step"
	itself   = "itself"
	nothing  = "nothing"
)

// TestRepairFaults: of the models with known faults, those that are repaired have no fault any more, and their
// outputs are those that the original should have.
func TestRepairFaults(t *testing.T) {
	oracle.Require(t)
	list, rows, repaired := repairFaults(t)
	if rows != 253 || repaired != 199 {
		t.Errorf("%d of %d rows are repaired", repaired, rows)
	}
	var comparisons []oracle.Comparison
	for _, f := range list {
		with := f.model
		if yardstickOf(f.name) == itself {
			with = f.repaired.Model
		}
		comparisons = append(comparisons, oracle.Comparison{
			Model: f.repaired.Model.Data, Twin: with.Data, Outputs: len(f.model.Subgraphs[0].Outputs), Inputs: inputsOf(f.model, 1),
		})
	}
	wheel := oracle.Start(t)
	for i, d := range oracle.Compare(t, comparisons) {
		f := list[i]
		switch {
		case d.Stage != "" || d.Old:
			t.Errorf("%s (%s): %+v", f.name, f.libraries, d)
		case yardstickOf(f.name) == nothing:
		case yardstickOf(f.name) == original:
			if why, _ := sameInWheel(t, wheel, f.model, f.repaired.Model); why != "" {
				t.Errorf("%s (%s): %s", f.name, f.libraries, why)
			}
		case d.Yardstick != "" || d.Unequal > 0 && (yardstickOf(f.name) != step || d.Steps > 1):
			t.Errorf("%s (%s): %+v", f.name, f.libraries, d)
		}
	}
}

// yardstickOf returns what a model is compared with, "" for LiteRT.
func yardstickOf(name string) string {
	for _, y := range yardsticks {
		if strings.HasPrefix(name, y.name) {
			return y.with
		}
	}
	return ""
}

// repairFaults repairs the models of all rows with a fault, and returns the different repaired ones and the numbers
// of rows and of repaired rows.
func repairFaults(t *testing.T) (list []*faulty, rows, repaired int) {
	dir := filepath.Join(corpus.Dir(t), "kernels", "faults")
	file, err := os.Open(filepath.Join(dir, "expected.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	table, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]*faulty{}
	for _, row := range table[1:] {
		if row[2] != "fault" {
			continue
		}
		rows++
		f, before := repairRow(t, dir, row[0], row[1])
		if f == nil {
			t.Logf("%s with %s: not repaired: %v", row[0], row[1], before)
			continue
		}
		repaired++
		key := f.name + string(f.repaired.Model.Data)
		if same := seen[key]; same != nil {
			same.libraries += " " + row[1]
			continue
		}
		seen[key], list = f, append(list, f)
	}
	return list, rows, repaired
}

// repairRow repairs a model for a library. It returns nil and the faults if a failing one is left.
func repairRow(t *testing.T, dir, name, library string) (*faulty, []rules.Fault) {
	m, err := tflite.Open(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	d, err := rules.UsualDevice(library)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Repair(context.Background(), m, Options{Device: d})
	if err != nil {
		t.Fatalf("%s with %s: %v", name, library, err)
	}
	if len(r.Left) > 0 {
		return nil, r.Left
	}
	if left := rules.Failing(d.Rules().Faults(r.Model)); len(left) > 0 || len(r.Applied) == 0 {
		t.Errorf("%s with %s: %d rules, %v", name, library, len(r.Applied), left)
	}
	return &faulty{name: strings.TrimSuffix(name, ".tflite"), libraries: library, model: m, repaired: r}, nil
}

package schema

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The enums of revision 3d are complete and without gaps.
func TestEnums(t *testing.T) {
	for name, c := range map[string]struct{ got, want int }{
		"TensorType":                   {dense(EnumNamesTensorType), 23},
		"BuiltinOperator":              {dense(EnumNamesBuiltinOperator), 210},
		"BuiltinOptions":               {dense(EnumNamesBuiltinOptions), 127},
		"BuiltinOptions2":              {dense(EnumNamesBuiltinOptions2), 24},
		"QuantizationDetails":          {dense(EnumNamesQuantizationDetails), 4},
		"SparseIndexVector":            {dense(EnumNamesSparseIndexVector), 4},
		"ActivationFunctionType":       {dense(EnumNamesActivationFunctionType), 6},
		"Padding":                      {dense(EnumNamesPadding), 2},
		"DimensionType":                {dense(EnumNamesDimensionType), 2},
		"ReduceWindowFunction":         {dense(EnumNamesReduceWindowFunction), 7},
		"StablehloComparisonDirection": {dense(EnumNamesStablehloComparisonDirection), 6},
	} {
		if c.got != c.want {
			t.Errorf("%s has %d values in a row, want %d", name, c.got, c.want)
		}
	}
}

// dense returns the number of names, or -1 when they do not count from zero.
func dense[T ~int8 | ~uint8 | ~int32 | ~uint32](names map[T]string) int {
	for i := range len(names) {
		if _, ok := names[T(i)]; !ok {
			return -1
		}
	}
	return len(names)
}

// A few numbers that files depend on, so that no renumbering goes unnoticed.
func TestNumbers(t *testing.T) {
	for name, ok := range map[string]bool{
		"CUSTOM":                BuiltinOperatorCUSTOM == 32,
		"PLACEHOLDER":           BuiltinOperatorPLACEHOLDER_FOR_GREATER_OP_CODES == 127,
		"CALL_ONCE":             BuiltinOperatorCALL_ONCE == 129,
		"STABLEHLO_CASE":        BuiltinOperatorSTABLEHLO_CASE == 209,
		"INT4":                  TensorTypeINT4 == 17,
		"Conv2DOptions":         BuiltinOptionsConv2DOptions == 1,
		"IfOptions":             BuiltinOptionsIfOptions == 92,
		"RightShiftOptions":     BuiltinOptionsRightShiftOptions == 126,
		"StablehloCaseOptions":  BuiltinOptions2StablehloCaseOptions == 23,
		"BlockwiseQuantization": QuantizationDetailsBlockwiseQuantization == 2,
		"identifier":            Identifier == "TFL3" && Version == 3,
	} {
		if !ok {
			t.Errorf("%s has another number", name)
		}
	}
}

// The accessors are what flatc makes of the schema text today.
func TestGeneratedIsFresh(t *testing.T) {
	const want = "flatc version 2.0.8"
	version, err := exec.Command("flatc", "--version").Output()
	if err != nil || strings.TrimSpace(string(version)) != want {
		t.Skipf("left out: %s is not installed (found %q)", want, version)
	}
	dir := t.TempDir()
	run(t, "flatc", "--go", "--gen-onefile", "--go-namespace", "schema", "-o", dir, "tflite.fbs")
	made := filepath.Join(dir, "tflite_generated.go")
	run(t, "gofmt", "-s", "-w", made)
	if !bytes.Equal(read(t, made), read(t, "tflite_generated.go")) {
		t.Error("tflite_generated.go is stale, run go generate ./schema")
	}
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

package kernels

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/schema"
)

// TestKernelStructs compares the options of each operator on both ABIs, and the persistent
// memory of kernels in Init, with builds of the libraries.
func TestKernelStructs(t *testing.T) {
	builds := map[string]string{"init_reference": "reference", "init_cmsis_nn": "cmsis-nn-mve", "init_esp_nn": "esp-nn-s3"}
	rows := recordings(t, "ops32.csv")
	for _, r := range rows {
		code, ok := schema.EnumValuesBuiltinOperator[r["operator"]]
		if !ok {
			t.Fatalf("no operator is called %s", r["operator"])
		}
		for column, library := range builds {
			d, _ := named(library).builtin(code)
			for abi, name := range map[ABI]string{ESP: "esp", ARM: "arm"} {
				k := &Kernel{abi: abi, demand: d}
				options := fmt.Sprint(d.options[abi].bytes, d.options[abi].align)
				if want := r["options_"+name] + " " + r["options_align_"+name]; options != want {
					t.Errorf("%v with %s on %s: options %s, want %s", code, library, name, options, want)
				}
				kept := &keeps{sizes: []string{"0"}}
				k.Init(kept)
				if got := kept.sizes[len(kept.sizes)-1]; got != r[column] {
					t.Errorf("%v with %s on %s keeps %s, want %s", code, library, name, got, r[column])
				}
			}
		}
	}
	t.Logf("%d operators", len(rows))
}

// TestKernelFiles: every recording is read by a test.
func TestKernelFiles(t *testing.T) {
	dir := os.Getenv("TFLARENA_KERNELS")
	if dir == "" {
		dir = filepath.Join(corpus.Dir(t), "kernels")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.csv"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d recordings: %v", len(files), err)
	}
	others := []string{"ops32", "arena32_esp", "arena32_arm", "overlap_scalar"}
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".csv"), "_models")
		if recorded[name] == nil && !slices.Contains(others, name) {
			t.Errorf("no test reads %s", file)
		}
	}
}

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/models"
)

// The models of the folder "found" once revealed a fault. The expectations are visible to users, so
// that the commands are called as a user would.

// found returns the path of such a model.
func found(t *testing.T, name string) string {
	t.Helper()
	return filepath.Join(corpus.Dir(t), "found", name+".tflite")
}

// Models whose smallest arena was claimed to be less than what the runtime needs; the budget
// is the one that was said to be enough.
func TestFoundArenas(t *testing.T) {
	for name, budget := range map[string]int64{
		"autoenc.int8": 4096, "conv1": 7136, "fc1": 7136, "siamese_arena": 79187, "ssd.f32": 32768,
	} {
		got := execute(noTerminal(), nil, "check", found(t, name), "--abi", "host64", "--max-arena", strconv.FormatInt(budget, 10))
		if got.code != exitCheck || !strings.HasPrefix(got.stdout, "DOES NOT FIT: ") {
			t.Errorf("%s fits %d bytes: exit %d: %s", name, budget, got.code, got.stdout)
		}
	}
}

// Scratch of TFLite_Detection_PostProcess is most of this model's head, with a plan or without.
func TestFoundDetection(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.tflite")
	got := execute(noTerminal(), nil, "rewrite", found(t, "ssd.f32"), "-o", path, "--json", "--abi", "host64")
	var r results.Rewrite
	if err := readOnly([]byte(got.stdout), &r); err != nil || r.Before.Head != 142096 || r.After.Head != 142096 {
		t.Errorf("exit %d: head %d, %d, want 142096: %v", got.code, r.Before.Head, r.After.Head, err)
	}
}

// TestFittedArenas fits models into budgets of the whole arena, and checks with the runtime: if fit
// reports that the budget is met, the model allocates in it.
func TestFittedArenas(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: the real runtime takes a while")
	}
	paths := []string{found(t, "mixer.int8"), found(t, "siamese.f32"), found(t, "dscnn.int8"), found(t, "mobv2tail"), found(t, "pools.int8")}
	names := []string{"micro/person_detect.tflite", "micro/kws_ref_model.tflite"}
	if *golden.Audit {
		names = append(names, "micro/vww_96_int8.tflite", "micro/pretrainedResnet_quant.tflite")
	}
	for _, name := range names {
		paths = append(paths, filepath.Join(corpus.Dir(t), "models", filepath.FromSlash(name)))
	}
	met := make([]int, len(paths))
	oracle.Each(t, len(paths), func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		own := checked(t, paths[i]).Required
		for percent := int64(98); percent >= 60; percent -= 19 {
			budget := own * percent / 100
			path := filepath.Join(t.TempDir(), "out.tflite")
			got := execute(noTerminal(), nil, "fit", paths[i], "-o", path, "--json", "--abi", "host64", "--arena", strconv.FormatInt(budget, 10), "--alias", "elementwise")
			if got.code != exitOK {
				continue
			}
			met[i]++
			if whole := budget / 16 * 16; !runtimes.Allocates(t, path, whole)[0] {
				t.Errorf("%s: fit says that it fits %d bytes, where the runtime does not allocate it", paths[i], whole)
			}
		}
	})
	all := 0
	for _, n := range met {
		all += n
	}
	if all < 5 {
		t.Errorf("%d budgets were met, too few to say anything", all)
	}
}

// Figures of a model without weights also hold for the built-in networks: the runtime decides.
func TestBuiltinArenas(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: the real runtime takes a while")
	}
	list := models.List(models.Irregular)
	oracle.Each(t, len(list), func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		data, err := models.Build(list[i].Name, models.Options{Weights: models.Zero})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), list[i].Name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		smallest := checked(t, path).Required
		if got := runtimes.Allocates(t, path, smallest, smallest-16); !got[0] || got[1] {
			t.Errorf("%s: smallest arena %d: the runtime allocates: %v, in 16 bytes less: %v", list[i].Name, smallest, got[0], got[1])
		}
	})
}

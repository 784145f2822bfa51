package pin_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/tflite"
)

// The sizes in this file come from the runtime itself: its own allocators, recorded in
// builds for 32-bit targets, and the Python package of TensorFlow Lite Micro.

// recordedKernels are the names that recordings have for kernel libraries.
var recordedKernels = map[string]string{
	"reference": "reference",
	"scalar":    "cmsis-nn-scalar", "dsp": "cmsis-nn-dsp", "mve": "cmsis-nn-mve", "mve_size": "cmsis-nn-mve-size",
	"esp32s3": "esp-nn-s3@1.2.3", "esp32p4": "esp-nn-p4@1.2.3", "esp_generic": "esp-nn-generic@1.2.3",
}

// TestKernelArenas compares arenas with those of builds for 32 bits, with all kernel libraries.
func TestKernelArenas(t *testing.T) {
	rows := 0
	for _, abi := range []string{"esp", "arm"} {
		for _, row := range corpus.Table(t, "kernels/arena32_"+abi+".csv") {
			rows++
			t.Run(abi+"/"+row["kernels"]+"/"+row["model"], func(t *testing.T) {
				device, err := device(t, abi).WithKernels(recordedKernels[row["kernels"]])
				if err != nil {
					t.Fatal(err)
				}
				device.ResourceVariables = 12 // what the recorded application made room for
				if !usesVariables(row["model"]) {
					device.ResourceVariables = 0
				}
				a := arenaOf(t, corpus.Model(t, row["model"]).Path, device)
				compare(t, "head", a.Head, row["head"])
				compare(t, "tail", a.Tail, row["tail"])
				compare(t, "arena_used_bytes", a.Used, row["arena_used"])
				compare(t, "smallest arena", a.Required, row["min_arena"])
			})
		}
	}
	if want := 29 * 9; rows != want {
		t.Errorf("%d rows, want %d", rows, want)
	}
}

// usesVariables reports whether a recorded model has resource variables.
func usesVariables(model string) bool { return strings.HasPrefix(model, "okay_nabu") }

// TestArenasWheel compares arenas with those that the Python package needs, found by
// bisection.
func TestArenasWheel(t *testing.T) {
	ran := 0
	for _, row := range corpus.Table(t, "prepare/wheel64.csv") {
		if row["runs"] != "1" {
			continue
		}
		ran++
		t.Run(row["model"], func(t *testing.T) {
			path := filepath.Join(corpus.Dir(t), row["model"])
			if !strings.HasPrefix(row["model"], "found/") {
				path = filepath.Join(corpus.Dir(t), "models", strings.TrimPrefix(row["model"], "models/"))
			}
			a := arenaOf(t, path, oracle.Device(t))
			compare(t, "head", a.Head, row["head"])
			compare(t, "tail", a.Tail, row["tail"])
			compare(t, "arena_used_bytes", a.Used, row["arena_used"])
			compare(t, "smallest arena", a.Required, row["min_arena"])
		})
	}
	if ran != 74 {
		t.Errorf("%d models, want 74", ran)
	}
}

// lucky are models of one operator that allocate in 16 or 32 bytes less than the required arena, in
// which memory that Prepare keeps lies over a temporary tensor that it still reads. By accident
// AllocateTensors notices nothing, but BATCH_MATMUL crashes in the next larger arena, and the lookup
// loses its scale and computes zeros: TestLuckyArenas.
var lucky = map[string]bool{
	"BATCH_MATMUL.i8.adj00": true, "BATCH_MATMUL.i8.adj10": true, "BATCH_MATMUL.i8.adj11": true,
	"EMBEDDING_LOOKUP.i8-f32": true,
}

// TestArenasOfOneOperator compares arenas of models of one operator on 32 and 64 bits.
func TestArenasOfOneOperator(t *testing.T) {
	for _, row := range corpus.Table(t, "prepare/oneop.csv") {
		if row["prepare_ok"] != "1" {
			continue
		}
		t.Run(row["model"], func(t *testing.T) {
			path := filepath.Join(corpus.Dir(t), "prepare", "ops", row["model"]+".tflite")
			esp := arenaOf(t, path, device(t, "esp"))
			compare(t, "arena_used_bytes (esp)", esp.Used, row["used32_esp"])
			compare(t, "smallest arena (esp)", esp.Required, row["min32_esp"])
			host := arenaOf(t, path, oracle.Device(t))
			compare(t, "arena_used_bytes (host64)", host.Used, row["used64_wheel"])
			if lucky[row["model"]] {
				if least, _ := strconv.ParseInt(row["min64_wheel"], 10, 64); host.Required <= least || host.Required > least+32 {
					t.Errorf("smallest arena (host64): %d, and the runtime allocates in %d", host.Required, least)
				}
				return
			}
			compare(t, "smallest arena (host64)", host.Required, row["min64_wheel"])
		})
	}
}

func device(t *testing.T, abi string) rules.Device {
	t.Helper()
	device, err := rules.DefaultDevice().WithABI(abi)
	if err != nil {
		t.Fatal(err)
	}
	return device
}

// arenaOf returns the arena of a model with the plan that it carries.
func arenaOf(t *testing.T, path string, device rules.Device) rules.Arena {
	t.Helper()
	m, err := tflite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var offsets []int32
	if plans, err := rewrite.ReadPlans(m); err == nil && len(plans) > 0 {
		offsets = plans[len(plans)-1].Offsets
	}
	o, err := pin.Follow(t.Context(), device.Rules(), m, offsets, device.Requests(m))
	if err != nil {
		t.Fatal(err)
	}
	return o.Arena(device)
}

// compare compares a figure with that of a table; an empty cell says nothing.
func compare(t *testing.T, what string, got int64, want string) {
	t.Helper()
	if n, err := strconv.ParseInt(want, 10, 64); want != "" && (err != nil || n != got) {
		t.Errorf("%s: %d, the runtime says %s", what, got, want)
	}
}

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/mutate"
	"github.com/tflarena/tflarena/schema"
)

// deformed calls attack with each model that has one tensor of another rank, or one operand absent, and
// returns how many there are. Commands and their variations alternate from model to model; -audit runs all
// of them.
func deformed(t *testing.T, dir string, sources [][]byte, every int) (count int) {
	t.Helper()
	commands := len(trials("", "", 0))
	for _, data := range sources {
		for n := 0; ; n++ {
			root, err := mutate.Read(data)
			if err != nil {
				break
			}
			if !root.Deform(n) {
				break
			}
			if count++; count%every > 0 && !*golden.Audit {
				continue
			}
			chosen := count / every
			write(t, filepath.Join(dir, "other.tflite"), data)
			attack(t, dir, root.Encode(), uint32(7919*count), func(command int) bool {
				return *golden.Audit || command%3 == chosen%3 && command/3 == chosen/3%((commands+2)/3)
			})
		}
	}
	return count
}

// TestForms runs commands on networks in which one tensor has no shape, or one of another rank, and on those
// in which one input is absent: each tensor of each operator that can be tiled or that shares memory.
func TestForms(t *testing.T) {
	var sources [][]byte
	for _, of := range []schema.TensorType{schema.TensorTypeINT8, schema.TensorTypeFLOAT32} {
		for from := range 20 {
			root, err := mutate.Read(mutate.Network(of))
			if err != nil {
				t.Fatal(err)
			}
			root.Window(from, 2)
			sources = append(sources, root.Encode())
		}
	}
	every := 6
	switch {
	case *golden.Audit:
		every = 3
	case testing.Short():
		every = 16
	}
	if count := deformed(t, t.TempDir(), sources, every); count < 1000 {
		t.Errorf("%d models are too few to tell", count)
	}
}

// TestFormsOfOperators is [TestForms] with every operator that TensorFlow Lite Micro has.
func TestFormsOfOperators(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: many models")
	}
	paths, err := filepath.Glob(filepath.Join(corpus.Dir(t), "prepare", "ops", "*.tflite"))
	if err != nil {
		t.Fatal(err)
	}
	var sources [][]byte
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, data)
	}
	if count := deformed(t, t.TempDir(), sources, 8); count < 5000 {
		t.Errorf("%d models are too few to tell", count)
	}
}

package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

func Example() {
	dir, err := os.MkdirTemp("", "shrink")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	model, out := filepath.Join(dir, "blazeface.tflite"), filepath.Join(dir, "smaller.tflite")
	data, err := models.Build("blazeface", models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(model, data, 0o644); err != nil {
		log.Fatal(err)
	}
	if err := shrink(model, out); err != nil {
		log.Fatal(err)
	}
	_, err = tflite.Open(out)
	fmt.Println("written:", err == nil)
	// Output:
	// required: 720544 -> 548512 bytes
	// written: true
}

package restore_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/restore"
	"github.com/tflarena/tflarena/rewrite/shrink"
	"github.com/tflarena/tflarena/tflite"
)

// A model is tiled to fit into 2 MiB, and restored.
func ExampleModel() {
	data, err := models.Build("mobilenet-v1", models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tflite.Parse(data, "mobilenet-v1")
	if err != nil {
		log.Fatal(err)
	}
	goal := shrink.Goal{Budget: 2 << 20, MaxOverhead: -1, Alias: rules.NoAlias, Device: rules.DefaultDevice(), Rounds: 1}
	r, err := shrink.Fit(context.Background(), m, goal)
	if err != nil {
		log.Fatal(err)
	}
	tiled, err := tflite.Parse(r.Steps[r.Best].Data, m.Name)
	if err != nil {
		log.Fatal(err)
	}
	restored, err := restore.Model(tiled, rewrite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(tiled.Subgraphs[0].Operators) > len(m.Subgraphs[0].Operators))
	for _, m := range []*tflite.Model{m, restored} {
		fmt.Println(len(m.Subgraphs[0].Operators), "operators,", len(m.Subgraphs[0].Tensors), "tensors")
	}
	// Output:
	// true
	// 31 operators, 88 tensors
	// 31 operators, 88 tensors
}

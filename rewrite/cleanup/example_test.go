package cleanup_test

import (
	"fmt"
	"log"

	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/cleanup"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/tflite"
)

func ExampleFind() {
	data, err := models.Build("deeplab-v3", models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tflite.Parse(data, "deeplab-v3")
	if err != nil {
		log.Fatal(err)
	}
	idle := cleanup.Find(m, 0)
	for _, i := range idle {
		fmt.Println(i.Operator, m.Subgraphs[0].Operators[i.Operator].Name, i.Why)
	}
	r, err := edit.Apply(m, cleanup.Edit(m, 0, idle), rewrite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	clean, err := tflite.Parse(r.Data, m.Name)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(m.Subgraphs[0].Operators), "->", len(clean.Subgraphs[0].Operators), "operators")
	// Output:
	// 68 RESIZE_BILINEAR it resizes to the same size
	// 70 -> 69 operators
}

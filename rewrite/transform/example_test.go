package transform_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite/transform"
	"github.com/tflarena/tflarena/tflite"
)

func ExampleSubstitute() {
	data, err := models.Build("deeplab-v3", models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tflite.Parse(data, "deeplab-v3")
	if err != nil {
		log.Fatal(err)
	}
	r, err := transform.Substitute(context.Background(), m, transform.Options{Device: rules.DefaultDevice(), Everywhere: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range r.Applied {
		for _, o := range a.Operators {
			fmt.Println(a.Rule.Name, o.Operator, o.Name)
		}
	}
	fmt.Println(len(m.Subgraphs[0].Operators), "->", len(r.Model.Subgraphs[0].Operators), "operators")
	// Output:
	// resize-to-same 68 RESIZE_BILINEAR
	// 70 -> 69 operators
}

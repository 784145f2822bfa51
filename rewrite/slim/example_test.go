package slim_test

import (
	"fmt"
	"log"

	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/slim"
	"github.com/tflarena/tflarena/tflite"
)

func Example() {
	data, err := models.Build("squeezenet-1.1-int8", models.Options{Weights: models.Random})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tflite.Parse(data, "squeezenet-1.1-int8")
	if err != nil {
		log.Fatal(err)
	}
	r, err := slim.Slim(m, rewrite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d B, before %d B\n", r.After, r.Before)
	for _, s := range r.Savings {
		fmt.Printf("%s: %d B\n", s.Kind, s.Bytes)
	}
	// Output:
	// 1290400 B, before 1324048 B
	// layout: 400 B
	// names: 2672 B
	// duplicate tables: 30576 B
}

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
	data, err := models.Build("mobilenet-v1", models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tflite.Parse(data, "mobilenet-v1")
	if err != nil {
		log.Fatal(err)
	}
	device, err := rules.UsualDevice("esp-nn-s3")
	if err != nil {
		log.Fatal(err)
	}
	r, err := transform.Substitute(context.Background(), m, transform.Options{Device: device})
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range r.Applied {
		fmt.Printf("%s: %d operators, %d bytes\n", a.Rule.Name, len(a.Operators), a.Saved)
	}
	// Output:
	// conv-to-fully-connected: 14 operators, 56048 bytes
	// average-pool-to-mean: 1 operators, 16 bytes
}

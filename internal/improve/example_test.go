package improve_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tflarena/tflarena/internal/improve"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

// blazeface returns a network that the runtime's own planner plans badly.
func blazeface() *tflite.Model {
	data, err := models.Build("blazeface", models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tflite.Parse(data, "blazeface")
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// The file is written by whoever asks.
func ExampleImprove() {
	m := blazeface()
	device := rules.DefaultDevice()
	o, err := improve.Improve(context.Background(), m, improve.Goal{
		Device: device, Reorder: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("embedded:", o.Action == improve.Embedded)
	fmt.Println("head:", o.Before.Head, "->", o.After.Head)
	fmt.Println("required:", o.Before.Required, "->", o.After.Required)
	fmt.Println("tensors fixed:", o.After.Fixed, "of", o.Planned, "by", o.Strategy)
	fmt.Println("no plan is below", o.Bound)
	// Output:
	// embedded: true
	// head: 688128 -> 516096
	// required: 720544 -> 548512
	// tensors fixed: 1 of 79 by greedy-by-size
	// no plan is below 516096
}

// A model that has the plan already is handed back, with the reason.
func ExampleImprove_again() {
	m := blazeface()
	for range 2 {
		o, err := improve.Improve(context.Background(), m, improve.Goal{})
		if err != nil {
			log.Fatal(err)
		}
		if m, err = tflite.Parse(o.Data, m.Name); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("saved %d B: %q\n", o.Saved, o.Reason.Text)
	}
	// Output:
	// saved 172032 B: ""
	// saved 0 B: "the model has this plan already"
}

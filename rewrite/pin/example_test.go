package pin_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/tflite"
)

// A plan that fixes a single tensor is enough here: the runtime places all others around it.
func ExampleChoose() {
	data, err := models.Build("blazeface", models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tflite.Parse(data, "blazeface")
	if err != nil {
		log.Fatal(err)
	}
	v, err := rules.Micro().View(m, -1)
	if err != nil {
		log.Fatal(err)
	}
	scratch := rules.DefaultDevice().Requests(m)
	choice, err := pin.Choose(context.Background(), v, pin.Options{Mode: pin.Peak, Scratch: scratch})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("head:", choice.Own, "->", choice.Head, "bytes, no plan is below", choice.Bound)
	for i, offset := range choice.Offsets {
		if offset != rewrite.Online {
			fmt.Println("tensor", i, "at", offset)
		}
	}

	// Follow asks the other way round: what does the runtime make of a plan?
	outcome, err := pin.Follow(context.Background(), rules.Micro(), m, choice.Offsets, scratch)
	if err != nil {
		log.Fatal(err)
	}
	arena := outcome.Arena(rules.DefaultDevice())
	fmt.Println("head:", outcome.Head, "tail:", arena.Tail, "required:", arena.Required)
	// Output:
	// head: 688128 -> 516096 bytes, no plan is below 516096
	// tensor 10 at 0
	// head: 516096 tail: 32416 required: 548512
}

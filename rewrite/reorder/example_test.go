package reorder_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/reorder"
	"github.com/tflarena/tflarena/tflite"
)

func ExampleChoose() {
	data, err := models.Build("randwire", models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tflite.Parse(data, "randwire")
	if err != nil {
		log.Fatal(err)
	}
	v, err := rules.Micro().View(m, -1)
	if err != nil {
		log.Fatal(err)
	}
	choice, err := reorder.Choose(context.Background(), v, reorder.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("arena:", choice.OwnArena, "->", choice.Arena, "bytes")
	fmt.Println("no order and no plan has less:", choice.Proven())

	r, err := rewrite.Reorder(m, choice.Orders, rewrite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reorder.Moved(choice.Orders), "operators moved, the file grew by", r.Added, "bytes")
	// Output:
	// arena: 5136768 -> 3424512 bytes
	// no order and no plan has less: true
	// 109 operators moved, the file grew by 0 bytes
}

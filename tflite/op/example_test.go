package op_test

import (
	"fmt"
	"log"

	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

func mobilenet() *tflite.Model {
	data, err := models.Build("mobilenet-v1", models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tflite.Parse(data, "mobilenet-v1")
	if err != nil {
		log.Fatal(err)
	}
	return m
}

func ExampleMACs() {
	m := mobilenet()
	s := &m.Subgraphs[0]
	for i := range 3 {
		o := &s.Operators[i]
		c := op.MACs(m, s, o)
		fmt.Println(o.Name, "does", c.Each, "for each of", c.Times, "output values")
	}
	// Output:
	// CONV_2D does 27 for each of 401408 output values
	// DEPTHWISE_CONV_2D does 9 for each of 401408 output values
	// CONV_2D does 32 for each of 802816 output values
}

func ExampleRunMACs() {
	fmt.Println(op.RunMACs(mobilenet(), 0), "multiply-accumulates in one run")
	// Output:
	// 568741376 multiply-accumulates in one run
}

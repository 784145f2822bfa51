package blocks_test

import (
	"fmt"
	"log"

	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// The first two operators are computed in two strips, and the record of the new model lists the original
// operators.
func ExampleRead() {
	data, err := models.Build("mobilenet-v1", models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tflite.Parse(data, "mobilenet-v1")
	if err != nil {
		log.Fatal(err)
	}
	s := &m.Subgraphs[0]
	f, err := split.Cut(m, split.Stage{First: 0, Last: 1, Rows: 2, Columns: 1}, len(s.Tensors))
	if err != nil {
		log.Fatal(err)
	}
	e := edit.Edit{Tensors: f.Tensors, Operators: f.Operators}
	for i := 2; i < len(s.Operators); i++ {
		e.Operators = append(e.Operators, edit.Operator{Kind: edit.Keep, Of: i})
	}
	record, err := (&blocks.Record{Blocks: []blocks.Block{*f.Block()}}).Encode()
	if err != nil {
		log.Fatal(err)
	}
	e.Metadata = &edit.Metadata{Name: blocks.Name, Data: record}
	r, err := edit.Apply(m, e, rewrite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	tiled, err := tflite.Parse(r.Data, m.Name)
	if err != nil {
		log.Fatal(err)
	}
	read, err := blocks.Read(tiled)
	if err != nil {
		log.Fatal(err)
	}
	for _, b := range read.Blocks {
		for _, o := range b.Operators {
			fmt.Println(m.OperatorCodes[o.Code].Builtin, o.Inputs, "->", b.Originals[o.Output])
		}
	}
	for _, o := range tiled.Subgraphs[0].Operators[:4] {
		fmt.Println(o.Name, "makes a tile of tensor", read.Whole(0, o.Outputs[0])) // -1: a helper
	}
	// Output:
	// CONV_2D [0 1 2] -> {3 [1 112 112 32]}
	// DEPTHWISE_CONV_2D [3 4 5] -> {6 [1 112 112 32]}
	// STRIDED_SLICE makes a tile of tensor 0
	// PAD makes a tile of tensor -1
	// CONV_2D makes a tile of tensor 3
	// PAD makes a tile of tensor -1
}

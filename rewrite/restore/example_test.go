package restore_test

import (
	"fmt"
	"log"

	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/restore"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// The first four operators are computed in three strips of rows, and restored.
func ExampleModel() {
	data, err := models.Build("mobilenet-v1", models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tflite.Parse(data, "mobilenet-v1")
	if err != nil {
		log.Fatal(err)
	}
	s := &m.Subgraphs[0]
	f, err := split.Cut(m, split.Stage{First: 0, Last: 3, Rows: 3, Columns: 1}, len(s.Tensors))
	if err != nil {
		log.Fatal(err)
	}
	e := edit.Edit{Tensors: f.Tensors, Operators: f.Operators}
	for i := 4; i < len(s.Operators); i++ {
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
	restored, err := restore.Model(tiled, rewrite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range []*tflite.Model{m, tiled, restored} {
		fmt.Println(len(m.Subgraphs[0].Operators), "operators,", len(m.Subgraphs[0].Tensors), "tensors")
	}
	// Output:
	// 31 operators, 88 tensors
	// 50 operators, 121 tensors
	// 31 operators, 88 tensors
}

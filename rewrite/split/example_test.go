package split_test

import (
	"fmt"
	"log"

	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// The first four operators are computed in three strips of rows, and what neighbouring strips
// have in common is kept from one to the next.
func ExampleCut() {
	data, err := models.Build("mobilenet-v1", models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tflite.Parse(data, "mobilenet-v1")
	if err != nil {
		log.Fatal(err)
	}
	s := &m.Subgraphs[0]
	f, err := split.Cut(m, split.Stage{First: 0, Last: 3, Rows: 3, Columns: 1, Mode: split.Keep}, len(s.Tensors))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(f.Operators), "operators in the place of 4,", f.MACs-f.OwnMACs, "more multiply-accumulates")

	e := edit.Edit{Tensors: f.Tensors, Operators: f.Operators}
	for i := 4; i < len(s.Operators); i++ {
		e.Operators = append(e.Operators, edit.Operator{Kind: edit.Keep, Of: i})
	}
	r, err := edit.Apply(m, e, rewrite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the file grew by", r.Added, "bytes")
	// Output:
	// 31 operators in the place of 4, 0 more multiply-accumulates
	// the file grew by 6144 bytes
}

package edit_test

import (
	"fmt"
	"log"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/tflite"
)

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

// The output of the first convolution is computed a second time for the addition that reads it
// last, so that it need not be kept until then.
func ExampleApply() {
	m := blazeface()
	s := &m.Subgraphs[0]
	conv, add := &s.Operators[0], &s.Operators[3]
	old, again := conv.Outputs[0], len(s.Tensors)
	e := edit.Edit{Tensors: []edit.Tensor{{Name: "again", Shape: s.Tensors[old].Shape, Like: old}}}
	for i := range s.Operators {
		if i != add.Index {
			e.Operators = append(e.Operators, edit.Operator{Kind: edit.Keep, Of: i})
			continue
		}
		inputs := slices.Clone(add.Inputs)
		inputs[slices.Index(inputs, old)] = again
		e.Operators = append(e.Operators,
			edit.Operator{Kind: edit.Piece, Of: conv.Index, Inputs: conv.Inputs, Outputs: []int{again}},
			edit.Operator{Kind: edit.Piece, Of: add.Index, Inputs: inputs, Outputs: add.Outputs})
	}
	r, err := edit.Apply(m, e, rewrite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	edited, err := tflite.Parse(r.Data, m.Name)
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range edited.Subgraphs[0].Operators[:5] {
		fmt.Println(o.Name, o.Inputs, "->", o.Outputs)
	}
	// Output:
	// CONV_2D [0 1 2] -> [3]
	// DEPTHWISE_CONV_2D [3 4 5] -> [6]
	// CONV_2D [6 7 8] -> [9]
	// CONV_2D [0 1 2] -> [191]
	// ADD [191 9] -> [10]
}

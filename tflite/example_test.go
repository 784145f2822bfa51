package tflite_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

// Open does the same for a path.
func ExampleParse() {
	data, err := models.Build("blazeface", models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tflite.Parse(data, "blazeface.tflite")
	if err != nil {
		log.Fatal(err)
	}
	s := &m.Subgraphs[0]
	fmt.Println(len(s.Operators), "operators,", len(s.Tensors), "tensors")
	for _, i := range s.Inputs {
		t := &s.Tensors[i]
		fmt.Println("input", t.Name, t.Type, t.Shape)
	}
	for _, i := range s.Operators[0].Inputs {
		t := &s.Tensors[i]
		fmt.Println("the first", s.Operators[0].Name, "reads", m.TensorID(s.Index, i), t.Shape, "constant:", t.Constant)
	}
	// Output:
	// 78 operators, 191 tensors
	// input input FLOAT32 [1 224 128 3]
	// the first CONV_2D reads 0:0 [1 224 128 3] constant: false
	// the first CONV_2D reads 0:1 [24 7 7 3] constant: true
	// the first CONV_2D reads 0:2 [24] constant: true
}

// An invalid file is rejected before anything reads it.
func ExampleParse_damaged() {
	data, err := models.Build("blazeface", models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	_, err = tflite.Parse(data[:5000], "half.tflite")
	fmt.Println(errors.Is(err, tflite.ErrInvalid))
	var e *tflite.Error
	if errors.As(err, &e) {
		fmt.Println(e.Path)
		fmt.Println(e.Problem)
	}
	// Output:
	// true
	// operator_codes[2]
	// vtable at 207848 is outside the file or misaligned
}

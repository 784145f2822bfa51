package models_test

import (
	"fmt"
	"log"

	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

func ExampleBuild() {
	data, err := models.Build("mobilenet-v1", models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tflite.Parse(data, "mobilenet-v1")
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range m.Subgraphs[0].Operators[:3] {
		fmt.Println(o.Index, o.Name, m.Subgraphs[0].Tensors[o.Outputs[0]].Shape)
	}
	// Output:
	// 0 CONV_2D [1 112 112 32]
	// 1 DEPTHWISE_CONV_2D [1 112 112 32]
	// 2 CONV_2D [1 112 112 64]
}

// The irregular networks can run in many orders, which differ in memory.
func ExampleList() {
	for _, n := range models.List(models.Irregular) {
		fmt.Println(n.Name, n.Input)
	}
	// Output:
	// nasnet-mobile [1 224 224 3]
	// darts [1 224 224 3]
	// darts-cifar10 [1 32 32 3]
	// randwire [1 224 224 3]
	// swiftnet [1 224 224 3]
}

// The suffix selects 8-bit integers. The zeros of large weights take no memory.
func ExampleBuild_int8() {
	data, err := models.Build("vgg19"+models.Int8, models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tflite.Parse(data, "vgg19-int8")
	if err != nil {
		log.Fatal(err)
	}
	s := m.Subgraphs[0]
	dense := s.Operators[22]
	weights := s.Tensors[dense.Inputs[1]]
	fmt.Println(dense.Name, weights.Name, weights.Type, weights.Shape)
	// Output: FULLY_CONNECTED fc6/weights INT8 [4096 25088]
}

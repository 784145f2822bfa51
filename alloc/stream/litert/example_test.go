package litert_test

import (
	"fmt"

	"github.com/tflarena/tflarena/alloc/stream/litert"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

func ExampleLayers() {
	data, err := models.Build("blazeface", models.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := tflite.Parse(data, "blazeface")
	if err != nil {
		fmt.Println(err)
		return
	}
	net, err := litert.Layers(model, litert.Rates{MACs: 30e9, Bytes: 200e6}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(net.Layers) == len(model.Subgraphs[0].Operators)+1)
	// Output: true
}

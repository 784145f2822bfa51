package provenance_test

import (
	"fmt"
	"log"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/rewrite/provenance"
	"github.com/tflarena/tflarena/tflite"
)

func ExampleRead() {
	data := encode.Encode(encode.Model{
		Buffers:   []encode.Buffer{{Data: []byte(`{"version":1,"rules":[{"name":"pad-nothing","operator_count":2}],"kernels":["reference"]}`)}},
		Metadata:  []encode.Metadata{{Name: provenance.Name, Buffer: 1}},
		Subgraphs: []encode.Subgraph{{}},
	})
	m, err := tflite.Parse(data, "example")
	if err != nil {
		log.Fatal(err)
	}
	r, err := provenance.Read(m)
	if err != nil {
		log.Fatal(err)
	}
	for _, rule := range r.Rules {
		fmt.Println(rule.Name, rule.Operators, r.Kernels)
	}
	// Output:
	// pad-nothing 2 [reference]
}

package verify_test

import (
	"fmt"
	"log"

	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/verify"
	"github.com/tflarena/tflarena/tflite"
)

// The plan puts all tensors at the beginning of the arena. The runtime would follow it.
func ExamplePlan() {
	data, err := models.Build("blazeface", models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tflite.Parse(data, "blazeface")
	if err != nil {
		log.Fatal(err)
	}
	r, err := rewrite.Embed(m, make([]int32, len(m.Subgraphs[0].Tensors)), rewrite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if m, err = tflite.Parse(r.Data, m.Name); err != nil {
		log.Fatal(err)
	}
	report, err := verify.Plan(m)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("right:", report.OK())
	for _, f := range report.Findings {
		if f.Severity == verify.Failure {
			fmt.Println(f.Law)
			fmt.Println(f.Message)
			break
		}
	}
	// Output:
	// right: false
	// overlap
	// tensor 0:0 "input" (positions 0 to 1, bytes 0 to 344,064) and tensor 0:3 "Conv" (positions 1 to 4, bytes 0 to 172,032) share memory while both are alive; it would be right if 0:3 began at least 1,592 B before 0:0, not 0 B: 1,592 B are missing (operator 0:0 CONV_2D goes through its output element by element, and what no later element needs is free, in the reference kernels)
}

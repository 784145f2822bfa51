package rules_test

import (
	"fmt"
	"log"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
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

// The memory of the same model differs between runtimes.
func ExampleRules_View() {
	m := blazeface()
	for _, r := range []rules.Rules{rules.Micro(), rules.LiteRT()} {
		v, err := r.View(m, -1)
		if err != nil {
			log.Fatal(err)
		}
		records := v.Records()
		fmt.Printf("%s: %d tensors, at least %d bytes\n", r.Title, len(records), lifetime.MaxBreadth(records))
		for _, c := range v.CountLeftOut() {
			fmt.Printf("  left out: %d (%s)\n", c.Tensors, c.Reason)
		}
	}
	// Output:
	// TensorFlow Lite Micro: 79 tensors, at least 516096 bytes
	//   left out: 112 (constant)
	// LiteRT (CPU arena): 79 tensors, at least 860160 bytes
	//   left out: 112 (constant)
}

// An in-place output needs no memory of its own.
func ExampleView_Takeovers() {
	v, err := rules.Micro().View(blazeface(), -1)
	if err != nil {
		log.Fatal(err)
	}
	list := v.Takeovers(rules.ElementwiseAlias)
	fmt.Println(len(list), "outputs may lie where an input lies")
	first := list[0]
	fmt.Println(v.Records()[first.To].ID, "on", v.Records()[first.From].ID)
	fmt.Println(first.Why)
	// Output:
	// 42 outputs may lie where an input lies
	// 0:10 on 0:3
	// operator 0:3 ADD is element-wise, in the reference kernels
}

// The output of a convolution may overlap the part of its input that the kernel has already
// read.
func ExampleView_Overlaps() {
	v, err := rules.Micro().View(blazeface(), -1)
	if err != nil {
		log.Fatal(err)
	}
	list := v.Overlaps(rules.DiagonalAlias)
	fmt.Println(len(list), "outputs may overlap an input")
	first, records := list[0], v.Records()
	fmt.Printf("%d bytes of %s begin at least %d bytes before the %d bytes of %s\n",
		records[first.To].Size, records[first.To].ID, first.Distance, records[first.From].Size, records[first.From].ID)
	fmt.Println(first.Why)
	// Output:
	// 67 outputs may overlap an input
	// 172032 bytes of 0:3 begin at least 1592 bytes before the 344064 bytes of 0:0
	// operator 0:0 CONV_2D goes through its output element by element, and what no later element needs is free, in the reference kernels
}

// The kernels of the device request scratch in addition to the tensors. A request is one more
// record, alive while its operator runs.
func ExampleView_WithScratch() {
	v, err := rules.Micro().View(blazeface(), -1)
	if err != nil {
		log.Fatal(err)
	}
	records := v.WithScratch([]rules.Request{{Subgraph: 0, Operator: 2, Bytes: 9_000}})
	r := records[len(records)-1]
	fmt.Printf("%s: %d bytes, alive from position %d to %d\n", r.ID, r.Size, r.First, r.Last)
	// Output:
	// scratch:0: 9008 bytes, alive from position 3 to 3
}

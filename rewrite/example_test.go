package rewrite_test

import (
	"fmt"
	"log"

	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite"
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

// The plan puts one tensor at the beginning of the arena and leaves all others to the runtime.
// Package pin finds such plans, and package shrink finds the models that need the least memory with one.
func ExampleEmbed() {
	m := blazeface()
	offsets := make([]int32, len(m.Subgraphs[0].Tensors))
	for i := range offsets {
		offsets[i] = rewrite.Online
	}
	offsets[10] = 0
	r, err := rewrite.Embed(m, offsets, rewrite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("method:", r.Method)
	for _, change := range r.Changes {
		fmt.Println(change)
	}

	planned, err := tflite.Parse(r.Data, m.Name)
	if err != nil {
		log.Fatal(err)
	}
	back, err := rewrite.Remove(planned, rewrite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("without the plan it is the old file:", string(back.Data) == string(m.Data))
	// Output:
	// method: prefix
	// 1,216 B inserted at the start of the file; all other bytes unchanged
	// metadata[0] OfflineMemoryAllocation is new, its plan in buffers[57]
	// without the plan it is the old file: true
}

func ExampleReadPlans() {
	m := blazeface()
	offsets := make([]int32, len(m.Subgraphs[0].Tensors))
	r, err := rewrite.Embed(m, offsets, rewrite.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if m, err = tflite.Parse(r.Data, m.Name); err != nil {
		log.Fatal(err)
	}
	plans, err := rewrite.ReadPlans(m)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range plans {
		fmt.Println("metadata", p.Entry, m.Metadata[p.Entry].Name, "has", len(p.Offsets), "offsets")
	}
	// Output:
	// metadata 0 OfflineMemoryAllocation has 191 offsets
}

// The plan says that it is right with the reference kernels alone.
func ExampleReadMarker() {
	m := blazeface()
	marker := rewrite.Marker{Version: rewrite.MarkerVersion, Alias: "diagonal", Kernels: "reference"}
	r, err := rewrite.Embed(m, make([]int32, len(m.Subgraphs[0].Tensors)), rewrite.Options{Marker: &marker})
	if err != nil {
		log.Fatal(err)
	}
	if m, err = tflite.Parse(r.Data, m.Name); err != nil {
		log.Fatal(err)
	}
	got, err := rewrite.ReadMarker(m)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("right with the kernels:", got.Kernels)
	// Output:
	// right with the kernels: reference
}

// An order in which an operator would read what is made later is refused. Package reorder finds
// orders that are right.
func ExampleReorder() {
	m := blazeface()
	order := make([]int, len(m.Subgraphs[0].Operators))
	for i := range order {
		order[i] = i
	}
	last := len(order) - 1
	order[0], order[last] = last, 0
	_, err := rewrite.Reorder(m, [][]int{order}, rewrite.Options{})
	fmt.Println(err)
	// Output:
	// refused: operator 0:77 CONCATENATION would run before operator 0:67 RESHAPE: tensor 0:165 "BoxPredictor_0/ClassPredictor_reshape", which the first reads, the second writes
}

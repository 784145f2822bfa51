package shrink_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite/shrink"
	"github.com/tflarena/tflarena/tflite"
)

// The head of the arena is to have at most 900 KiB, which no plan and no order reaches.
func ExampleFit() {
	data, err := models.Build("swiftnet", models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tflite.Parse(data, "swiftnet")
	if err != nil {
		log.Fatal(err)
	}
	device := rules.DefaultDevice()
	report, err := shrink.Fit(context.Background(), m, shrink.Goal{
		HeadBudget: 900 << 10, MaxOverhead: 0, Alias: rules.NoAlias, Device: device,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range report.Steps {
		fmt.Printf("%s: %d operators, head %d, required %d\n", r.Name, r.Operators, r.Head, r.Required)
	}
	best := report.Steps[report.Best]
	fmt.Println(len(best.Stages), "tiled blocks")
	fmt.Println("within the budget:", report.Met, "extra multiply-accumulates:", best.ExtraMACs)
	// Output:
	// as it is: 85 operators, head 1404928, required 1441952
	// clean-up: 84 operators, head 1103872, required 1140816
	// tiling: 242 operators, head 862208, required 917536
	// 6 tiled blocks
	// within the budget: true extra multiply-accumulates: 0
}

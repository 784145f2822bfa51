package schedule_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/schedule"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

// The order is chosen by the arena that a planner makes of it, not by its peak alone.
func ExampleProblem_Choose() {
	data, err := models.Build("swiftnet", models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tflite.Parse(data, "swiftnet")
	if err != nil {
		log.Fatal(err)
	}
	v, err := rules.Micro().View(m, -1)
	if err != nil {
		log.Fatal(err)
	}
	records := func(orders [][]int) ([]lifetime.Record, error) {
		other, err := v.Reordered(orders)
		if err != nil {
			return nil, err
		}
		return other.Records(), nil
	}
	p := &schedule.Problem{Graph: v.Graph, Subgraph: -1, Records: records}
	c, err := p.Choose(context.Background(), 0, func(orders [][]int) (int64, error) {
		list, err := records(orders)
		if err != nil {
			return 0, err
		}
		plan, err := alloc.Solve(context.Background(), list, alloc.Options{Approach: alloc.Offsets, Strategy: alloc.GreedyBySize})
		if err != nil {
			return 0, err
		}
		return plan.Total, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("arena:", c.OwnArena, "->", c.Arena, "bytes")
	fmt.Println("no order and no plan has less:", c.Proven())
	// Output:
	// arena: 1354752 -> 1204224 bytes
	// no order and no plan has less: false
}

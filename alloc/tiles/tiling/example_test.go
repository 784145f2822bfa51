package tiling_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

func Example() {
	data, err := models.Build("mobilenet-v1"+models.Int8, models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tflite.Parse(data, "mobilenet-v1")
	if err != nil {
		log.Fatal(err)
	}
	s, err := tiling.New(context.Background(), m, 0, tiling.Options{OnChip: 128 << 10})
	if err != nil {
		log.Fatal(err)
	}
	live := s.Live(lifetime.Simultaneous)
	for i, r := range s.Runs[:3] {
		fmt.Printf("operator %d: steps %d to %d, %d %s a tile, %d bytes on chip, %d off chip\n",
			r.First, r.FirstStep, r.LastStep, r.Extent, r.Tile, r.OnChip, live[i])
	}
	// Output:
	// operator 0: steps 1 to 5, 26 rows a tile, 129792 bytes on chip, 418432 off chip
	// operator 1: steps 6 to 12, 17 rows a tile, 129440 bytes on chip, 465920 off chip
	// operator 2: steps 13 to 23, 11 rows a tile, 120576 bytes on chip, 835072 off chip
}

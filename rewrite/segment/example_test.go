package segment_test

import (
	"fmt"
	"log"

	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite/segment"
	"github.com/tflarena/tflarena/tflite"
)

// Example cuts a network behind the first place where a single tensor of at most 64 KiB is alive.
func Example() {
	data, err := models.Build("blazeface", models.Options{Weights: models.Zero})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tflite.Parse(data, "blazeface")
	if err != nil {
		log.Fatal(err)
	}
	points, err := segment.Points(m)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range points {
		if len(p.Alive) > 1 || p.Bytes > 64<<10 {
			continue
		}
		parts, err := segment.Parts(m, []int{p.After})
		if err != nil {
			log.Fatal(err)
		}
		for _, part := range parts {
			file, err := segment.Write(m, part)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("operators %d to %d: %d B\n", part.First, part.Last, len(file))
		}
		break
	}
	// Output:
	// operators 0 to 22: 63120 B
	// operators 23 to 77: 145952 B
}

// Command shrink writes a model that computes the same as another in less memory, as "tflarena fit" does.
//
//	go run ./examples/shrink model.tflite smaller.tflite
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/tflarena/tflarena/lifetime/rules"
	search "github.com/tflarena/tflarena/rewrite/shrink"
	"github.com/tflarena/tflarena/tflite"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: shrink MODEL OUT")
	}
	if err := shrink(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

// shrink writes the model that requires the least memory on an ESP32-S3 with the kernels of ESP-NN, for at most 5 % more
// multiply-accumulates, as far as is found in 10 s.
func shrink(model, out string) error {
	m, err := tflite.Open(model)
	if err != nil {
		return err
	}
	goal := search.Goal{Alias: rules.NoAlias, MaxOverhead: 0.05}
	if goal.Device, err = rules.UsualDevice("esp-nn-s3"); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	report, err := search.Fit(ctx, m, goal)
	if err != nil {
		return err
	}
	o, err := report.Outcome(m, goal)
	if err != nil {
		return err
	}
	if o.Verdict != search.Gained {
		fmt.Println("nothing to gain")
		return nil
	}
	fmt.Println("required:", report.Steps[0].Required, "->", report.Steps[report.Best].Required, "bytes")
	return os.WriteFile(out, o.Data, 0o644)
}

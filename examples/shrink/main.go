// Command shrink writes the plan with the least head into a model, as "tflarena rewrite --reorder" does.
//
//	go run ./examples/shrink model.tflite smaller.tflite
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/improve"
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

// shrink writes a model that requires less memory on an ESP32-S3 with the kernels of ESP-NN.
func shrink(model, out string) error {
	m, err := tflite.Open(model)
	if err != nil {
		return err
	}
	device, err := rules.UsualDevice("esp-nn-s3")
	if err != nil {
		return err
	}
	o, err := improve.Improve(context.Background(), m, improve.Goal{
		Device: device, Reorder: true,
	})
	if err != nil {
		return err
	}
	if o.Action != improve.Embedded {
		fmt.Println("nothing to gain:", o.Reason.Text)
		return nil
	}
	fmt.Println("required:", o.Before.Required, "->", o.After.Required, "bytes")
	return os.WriteFile(out, o.Data, 0o644)
}

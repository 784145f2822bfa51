package export_test

import (
	"context"
	"log"
	"os"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/export"
	"github.com/tflarena/tflarena/lifetime"
)

// Three tensors, the first and the last of which are never alive together.
func ExampleWrite() {
	records := []lifetime.Record{
		{ID: "0:0", Name: "input", First: 0, Last: 1, Size: 1024, Align: 16},
		{ID: "0:1", Name: "hidden", First: 1, Last: 2, Size: 512, Align: 16},
		{ID: "0:2", Name: "output", First: 2, Last: 3, Size: 1024, Align: 16},
	}
	plan, err := alloc.Solve(context.Background(), records, alloc.Options{Approach: alloc.Offsets})
	if err != nil {
		log.Fatal(err)
	}
	if err := export.Write(os.Stdout, "csv", &export.Plan{Name: "tiny", Records: records, Places: plan}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// id,name,first_op,last_op,size_bytes,offset_bytes
	// 0:0,input,0,1,1024,0
	// 0:1,hidden,1,2,512,1024
	// 0:2,output,2,3,1024,0
}

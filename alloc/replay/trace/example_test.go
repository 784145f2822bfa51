package trace_test

import (
	"fmt"

	"github.com/tflarena/tflarena/alloc/replay/trace"
)

func ExampleRead() {
	file, err := trace.Read([]byte("event,id,size\nalloc,a,512\nalloc,b,256\nfree,a,\nfree,b,\n"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	profile, err := file.Profile(file.Devices[0], file.Granule)
	if err != nil {
		fmt.Println(err)
		return
	}
	figures := profile.Figures()
	fmt.Println(file.Form, len(profile.Lives), figures.Requested)
	// Output: CSV 2 768
}

package flexnn_test

import (
	"context"
	"fmt"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/flexnn"
)

func ExampleReadProfiles() {
	const memory = `layer_index,memory_type,event_type,ptr,size,time
0,1,1,0x1000,64,0
1,0,1,0x2000,512,0
1,1,1,0x3000,128,0
1,0,0,0x2000,0,0
1,1,0,0x1000,0,0
1,1,0,0x3000,0,0
`
	const times = `layer_index,loading_begin,loading_end,loading_duration,computing_begin,computing_end,computing_duration
0,0,0,0,0,0,0
1,0,2,2,2,5,3
`
	net, err := flexnn.ReadProfiles([]byte(memory), []byte(times))
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := stream.Solve(context.Background(), net, 1024, stream.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(plan.Latency)
	fmt.Print(string(flexnn.Write(net, plan.Placement).Layout))

	_, err = flexnn.ReadProfiles([]byte(memory+"1,2,0,0x4000,0,0\n"), []byte(times))
	fmt.Println(err)
	// Output:
	// 3ms
	// 0,1,192,512,1,0
	// 0,1,0,64,0,1
	// 1,1,64,128,1,1
	// memory profile, row 8, column 4 (ptr): 0x4000 is freed, but no malloc before has it
}

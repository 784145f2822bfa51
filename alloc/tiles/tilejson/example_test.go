package tilejson_test

import (
	"fmt"

	"github.com/tflarena/tflarena/alloc/tiles/tilejson"
)

func ExampleParse() {
	cases, err := tilejson.Parse([]byte(`{"name": "halves", "tensors": [
		{"name": "x", "size": 8, "accesses": [[0, "w", 0, 8], [1, "r", 0, 4], [2, "r", 4, 8]]}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	x := cases[0].Tensors[0]
	fmt.Println(cases[0].Name, x.Name, x.Size, len(x.Accesses))
	// Output: halves x 8 3
}

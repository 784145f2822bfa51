package check_test

import (
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/lifetime"
)

// Any plan can be checked, whatever made it.
func ExampleOffsets() {
	records := []lifetime.Record{
		{ID: "0:0", Name: "a", First: 0, Last: 1, Size: 64},
		{ID: "0:1", Name: "b", First: 1, Last: 2, Size: 32},
		{ID: "0:2", Name: "c", First: 2, Last: 3, Size: 64},
	}
	fmt.Println(check.Offsets(records, []int64{0, 64, 0}, 96))

	err := check.Offsets(records, []int64{0, 48, 0}, 80)
	fmt.Println(err)
	var v *check.Violation
	if errors.As(err, &v) {
		fmt.Println(v.Law == check.Overlap, records[v.Record].Name, records[v.Other].Name)
	}
	// Output:
	// <nil>
	// overlap: record 0 (0:0 a, positions 0 to 1) in bytes [0, 64) and record 1 (0:1 b, positions 1 to 2) in bytes [48, 80)
	// true a b
}

// Records that share memory on purpose are right where a takeover says so.
func ExampleAliased() {
	records := []lifetime.Record{
		{Name: "input", First: 0, Last: 1, Size: 64},
		{Name: "output", First: 1, Last: 2, Size: 64},
	}
	offsets := []int64{0, 0}
	fmt.Println(check.Offsets(records, offsets, 64) == nil)
	fmt.Println(check.Aliased(records, offsets, 64, []lifetime.Takeover{{From: 0, To: 1}}, nil) == nil)
	// Output:
	// false
	// true
}

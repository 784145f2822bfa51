package populate

import "testing"

// TestAhead writes lists while the system is asked for their memory.
func TestAhead(t *testing.T) {
	Ahead[int64](nil)
	Ahead([]int64{1, 2, 3})
	for range 4 {
		list := make([]int64, 3*least/8+5)
		Ahead(list)
		for i := range list {
			list[i] = int64(i)
		}
		for i, v := range list {
			if v != int64(i) {
				t.Fatalf("element %d is %d", i, v)
			}
		}
	}
}

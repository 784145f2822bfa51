package trace

import "testing"

// TestPrefault writes lists while the system is asked for their memory.
func TestPrefault(t *testing.T) {
	prefault[int64](nil)
	prefault([]int64{1, 2, 3})
	for range 4 {
		list := make([]int64, 3*minPrefault/8+5)
		prefault(list)
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

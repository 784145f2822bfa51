package rewrite

import (
	"sort"

	"github.com/tflarena/tflarena/tflite"
)

// changedBytes returns the positions in the new file of the old bytes that are not as
// they were, in order. The old ones moved back by shift; what is missing at the end of
// the new file does not count.
func changedBytes(old, data []byte, shift int64) (list []int64) {
	moved := data[shift:]
	for i := range min(len(old), len(moved)) {
		if old[i] != moved[i] {
			list = append(list, int64(i)+shift)
		}
	}
	return list
}

// sharedBytes refuses a file where a byte that was changed serves more than one purpose
// in the new file. That takes tables which lie on top of each other, as no writer makes them; a
// change for the sake of one would be felt in the other, whatever it is.
func sharedBytes(old, data []byte, shift int64) error {
	changed := changedBytes(old, data, shift)
	purpose := make([]tflite.Extent, len(changed))
	var found error
	err := tflite.Extents(data, func(e tflite.Extent) {
		i := sort.Search(len(changed), func(i int) bool { return changed[i] >= e.From })
		for ; found == nil && i < len(changed) && changed[i] < e.To; i++ {
			if purpose[i] == (tflite.Extent{}) {
				purpose[i] = e
			}
			if purpose[i] != e {
				found = sharing("the byte at 0x%x is part of %s and of %s: it cannot be changed for one alone",
					changed[i], purpose[i].What, e.What)
			}
		}
	})
	if err != nil {
		return err
	}
	return found
}

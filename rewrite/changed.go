package rewrite

import (
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// A span is the bytes [from, to) of a file.
type span struct{ from, to int64 }

// changedBytes returns the positions in the new file of the old bytes that are not as
// they were, in order. The old ones moved back by shift; what is missing at the end of
// the new file does not count, nor do the spans that are left out, which are in order.
func changedBytes(old, data []byte, shift int64, without []span) (list []int64) {
	moved := data[shift:]
	end := int64(min(len(old), len(moved)))
	at := int64(0)
	for _, r := range append(slices.Clone(without), span{from: end}) {
		for ; at < r.from; at++ {
			if old[at] != moved[at] {
				list = append(list, at+shift)
			}
		}
		at = r.to
	}
	return list
}

// sharedBytes refuses a file where a byte that was changed serves more than one purpose
// in the new file. That takes tables which lie on top of each other, as no writer makes them; a
// change for the sake of one would be felt in the other, whatever it is. What was done to
// the spans that are left out, which are in order, is looked at elsewhere.
func sharedBytes(old, data []byte, shift int64, without ...span) error {
	changed := changedBytes(old, data, shift, without)
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

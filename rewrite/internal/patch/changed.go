package patch

import (
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// A Span is the bytes [From, To) of a file.
type Span struct{ From, To int64 }

// changedBytes returns the positions in the new file of the old bytes that are not as
// they were, in order. The old ones moved back by shift; what is missing at the end of
// the new file does not count, nor do the spans that are left out, which are in order.
func changedBytes(old, data []byte, shift int64, without []Span) (list []int64) {
	moved := data[shift:]
	end := int64(min(len(old), len(moved)))
	at := int64(0)
	for _, r := range append(slices.Clone(without), Span{From: end}) {
		for ; at < r.From; at++ {
			if old[at] != moved[at] {
				list = append(list, at+shift)
			}
		}
		at = r.To
	}
	return list
}

// SharedBytes refuses a file where a byte that was changed serves more than one purpose in
// the new file. That takes tables which lie on top of each other, as no writer makes them;
// a change of one would also be a change of the other. The spans of without, which are in
// order, are left out: what was done to them is checked elsewhere.
func SharedBytes(old, data []byte, shift int64, without ...Span) error {
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
				found = Sharing("the byte at 0x%x is part of %s and of %s: it cannot be changed for one alone",
					changed[i], purpose[i].What, e.What)
			}
		}
	})
	if err != nil {
		return err
	}
	return found
}

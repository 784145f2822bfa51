package patch

import (
	"bytes"
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// Span is the bytes [From, To) of a file.
type Span struct{ From, To int64 }

// blockBytes is the number of bytes compared at a time: most are unchanged.
const blockBytes = 1024

// changedBytes returns the positions in the new file of old bytes that changed, ascending. The
// old bytes moved back by shift. Bytes missing at the end of the new file do not count, nor do
// those in the spans of without, which must be sorted.
func changedBytes(old, data []byte, shift int64, without []Span) (list []int64) {
	moved := data[shift:]
	end := int64(min(len(old), len(moved)))
	at := int64(0)
	for _, r := range append(slices.Clone(without), Span{From: end}) {
		for at < r.From {
			block := min(at+blockBytes, r.From)
			for ; at < block && !bytes.Equal(old[at:block], moved[at:block]); at++ {
				if old[at] != moved[at] {
					list = append(list, at+shift)
				}
			}
			at = block
		}
		at = r.To
	}
	return list
}

// SharedBytes refuses a file if a changed byte serves more than one purpose in the new file,
// since changing one table would change another. Only overlapping tables, which no writer
// produces, can cause this. The spans of without, which must be sorted, are excluded; other
// code checks them.
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

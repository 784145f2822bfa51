package tflite

import (
	"bytes"
	"sort"
)

// The kinds of trailing ranges that are found by looking; the others are named by
// the model itself.
const (
	kindPadding = "padding"
	kindZip     = "zip"
	kindUnknown = "unknown"
)

// trailing cuts the bytes of the file behind end into ranges: those that absolute
// offsets name, and between them what can be recognised. The ranges are in order,
// disjoint, and cover everything from end on.
func trailing(data []byte, end int64, named []Range) []Range {
	sort.SliceStable(named, func(i, j int) bool { return named[i].Start < named[j].Start })
	var out []Range
	for _, r := range named {
		if r.End <= end {
			continue
		}
		r.Start = max(r.Start, end)
		out = append(out, recognise(data, end, r.Start)...)
		out = append(out, r)
		end = r.End
	}
	return append(out, recognise(data, end, int64(len(data)))...)
}

// recognise cuts a gap into zip archives, the zero bytes in front of them or at the
// end, and the rest. Zero bytes in front of something unknown may belong to it.
func recognise(data []byte, start, end int64) (out []Range) {
	add := func(size int64, kind string) {
		if size > 0 {
			out = append(out, Range{Start: start, End: start + size, Kind: kind})
			start += size
		}
	}
	for start < end {
		zeros := leadingZeros(data[start:end])
		size, archive := zipSize(data[start+zeros : end])
		if !archive && start+zeros < end {
			add(end-start, kindUnknown)
			break
		}
		add(zeros, kindPadding)
		add(size, kindZip)
	}
	return out
}

// zeroBlock is compared with whole blocks: padding can be most of a large file.
var zeroBlock [4096]byte

func leadingZeros(data []byte) int64 {
	n := 0
	for bytes.HasPrefix(data[n:], zeroBlock[:]) {
		n += len(zeroBlock)
	}
	for n < len(data) && data[n] == 0 {
		n++
	}
	return int64(n)
}

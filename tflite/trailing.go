package tflite

import (
	"bytes"
	"sort"
)

// The kinds of trailing ranges that are recognised by their contents; the model itself names
// the others.
const (
	kindPadding = "padding"
	kindZip     = "zip"
	kindUnknown = "unknown"
)

// trailing splits the bytes from end to the end of the file into ranges: the targets of
// absolute offsets and, between them, recognised contents. The ranges are ordered and disjoint,
// and cover everything.
func trailing(data []byte, end int64, named []Range) []Range {
	sort.SliceStable(named, func(i, j int) bool { return named[i].Start < named[j].Start })
	var out []Range
	for _, r := range named {
		if r.End <= end {
			continue
		}
		r.Start = max(r.Start, end)
		out = append(out, classifyGap(data, end, r.Start)...)
		out = append(out, r)
		end = r.End
	}
	return append(out, classifyGap(data, end, int64(len(data)))...)
}

// classifyGap splits a gap into zip archives, the zero bytes before them or at the end, and the
// rest. Zero bytes before unknown contents may belong to them.
func classifyGap(data []byte, start, end int64) (out []Range) {
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

// zeroBlock is compared with whole blocks, because padding can be most of a large file.
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

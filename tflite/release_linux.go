package tflite

import (
	"os"
	"syscall"
)

// release discards whole pages of a mapped file. The mapping is read-only, so nothing is lost.
func release(data []byte, from, to int) {
	page := os.Getpagesize()
	from, to = (from+page-1)/page*page, to/page*page // the mapping is page-aligned
	if from < to {
		_ = syscall.Madvise(data[from:to], syscall.MADV_DONTNEED)
	}
}

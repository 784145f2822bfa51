package tflite

import (
	"os"
	"syscall"
)

// release lets whole pages of a mapped file go. The mapping is only read, so that nothing is lost.
func release(data []byte, from, to int) {
	page := os.Getpagesize()
	from, to = (from+page-1)/page*page, to/page*page // the mapping begins with a page
	if from < to {
		_ = syscall.Madvise(data[from:to], syscall.MADV_DONTNEED)
	}
}

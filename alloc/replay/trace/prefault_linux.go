package trace

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// populate maps the whole pages of a list as if they were written. It requires Linux 5.14.
func populate(list []byte) (ok bool) {
	page := os.Getpagesize()
	begin := int(uintptr(unsafe.Pointer(unsafe.SliceData(list))) % uintptr(page))
	from := (page - begin) % page
	to := len(list) - (begin+len(list))%page
	return from < to && unix.Madvise(list[from:to], unix.MADV_POPULATE_WRITE) == nil
}

package trace

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// populate maps the whole pages of a list, as a write to each of them would. Linux knows how since
// version 5.14.
func populate(list []byte) (ok bool) {
	page := os.Getpagesize()
	begin := int(uintptr(unsafe.Pointer(unsafe.SliceData(list))) % uintptr(page))
	from := (page - begin) % page
	to := len(list) - (begin+len(list))%page
	return from < to && unix.Madvise(list[from:to], unix.MADV_POPULATE_WRITE) == nil
}

package trace

import (
	"os"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// TestPopulate looks at which pages of new memory the system has mapped, before and after.
func TestPopulate(t *testing.T) {
	page := os.Getpagesize()
	memory, err := unix.Mmap(-1, 0, 16*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(memory)
	if err := unix.Madvise(memory, unix.MADV_POPULATE_WRITE); err == unix.EINVAL {
		t.Skip("this Linux is older than 5.14")
	}
	for _, c := range []struct{ from, to, first, last int }{ // the pages that are mapped, the last one exclusive
		{0, 16 * page, 0, 16},
		{1, 16*page - 1, 1, 15},
		{3 * page, 5*page + 7, 3, 5},
		{3*page + 7, 4*page + 7, 0, 0},
		{7, 9, 0, 0},
	} {
		if err := unix.Madvise(memory, unix.MADV_DONTNEED); err != nil {
			t.Fatal(err)
		}
		if ok := populate(memory[c.from:c.to]); ok != (c.first < c.last) {
			t.Errorf("%+v: populate says %t", c, ok)
		}
		for at, mapped := range resident(t, memory, page) {
			if want := c.first <= at && at < c.last; mapped != want {
				t.Errorf("%+v: page %d is mapped: %t, want %t", c, at, mapped, want)
			}
		}
	}
}

// resident reports which pages the system has mapped.
func resident(t *testing.T, memory []byte, page int) []bool {
	t.Helper()
	state := make([]byte, len(memory)/page)
	if _, _, e := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&memory[0])), uintptr(len(memory)), uintptr(unsafe.Pointer(&state[0]))); e != 0 {
		t.Fatal(e)
	}
	mapped := make([]bool, len(state))
	for at, s := range state {
		mapped[at] = s&1 != 0
	}
	return mapped
}

package trace

import "unsafe"

// step is how many bytes the system is asked for at a time, and least how many a list must have.
const (
	step  = 4 << 20
	least = 4 * step
)

// prefault asks the system for the memory of a list, and returns at once. It changes none of the
// elements, which may be read and written at any time. Where the system cannot do that, and for
// lists that are short, it does nothing.
func prefault[T any](list []T) {
	bytes := uintptr(len(list)) * unsafe.Sizeof(*new(T))
	if bytes < least {
		return
	}
	all := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), bytes)
	go func() {
		for len(all) > 0 {
			now := all[:min(step, len(all))]
			if !populate(now) {
				return
			}
			all = all[len(now):]
		}
	}()
}

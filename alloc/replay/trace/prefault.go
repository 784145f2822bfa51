package trace

import "unsafe"

// step is the number of bytes to populate at a time, and least the smallest list to prefault.
const (
	step  = 4 << 20
	least = 4 * step
)

// prefault maps the pages of a list in the background. It changes no elements, which may be read and
// written meanwhile. It does nothing for short lists, or if the system does not support it.
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

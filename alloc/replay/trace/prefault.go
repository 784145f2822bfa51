package trace

import "unsafe"

// prefaultStep is the number of bytes to populate at a time, and minPrefault the smallest list to
// prefault.
const (
	prefaultStep = 4 << 20
	minPrefault  = 4 * prefaultStep
)

// prefault maps the pages of a list in the background. It changes no elements, which may be read and
// written meanwhile. It does nothing for short lists, or if the system does not support it.
func prefault[T any](list []T) {
	bytes := uintptr(len(list)) * unsafe.Sizeof(*new(T))
	if bytes < minPrefault {
		return
	}
	all := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), bytes)
	go func() {
		for len(all) > 0 {
			now := all[:min(prefaultStep, len(all))]
			if !populate(now) {
				return
			}
			all = all[len(now):]
		}
	}()
}

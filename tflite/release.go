package tflite

import "sync"

// mappings are the files that [Load] has mapped, by their first byte, and their sizes in bytes.
var mappings sync.Map // of *byte to int

// Release tells the system that the bytes from one to another, to be exclusive, of a file that
// [Load] returned will hardly be read again, so that the memory that they take is free for other
// uses. They can still be read: the system then reads the file once more. Where the file is not
// mapped, or the system cannot do that, Release does nothing.
func Release(data []byte, from, to int) {
	if len(data) == 0 || from < 0 || to > len(data) {
		return
	}
	if size, mapped := mappings.Load(&data[0]); mapped && size.(int) == len(data) {
		release(data, from, to)
	}
}

package tflite

import "sync"

// mappings holds the files mapped by [Load]: their first byte and their size in bytes.
var mappings sync.Map // of *byte to int

// Release advises the system that the bytes [from, to) of a file returned by [Load] are
// unlikely to be read again, so that their memory can be reclaimed. They stay readable: the
// system then reads the file again. Release does nothing if the file is not mapped or the
// system does not support it.
func Release(data []byte, from, to int) {
	if len(data) == 0 || from < 0 || to > len(data) {
		return
	}
	if size, mapped := mappings.Load(&data[0]); mapped && size.(int) == len(data) {
		release(data, from, to)
	}
}

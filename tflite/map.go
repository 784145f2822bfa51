//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris || windows

package tflite

import (
	"os"

	"github.com/edsrzf/mmap-go"
)

// mapFile maps the first size bytes of a file into memory, read-only.
func mapFile(f *os.File, size int) ([]byte, error) {
	return mmap.MapRegion(f, size, mmap.RDONLY, 0, 0)
}

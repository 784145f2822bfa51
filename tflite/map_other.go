//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris || windows)

package tflite

import (
	"errors"
	"os"
)

func mapFile(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }

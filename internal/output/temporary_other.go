//go:build !linux

package output

import (
	"errors"
	"io/fs"
	"os"
)

// createUnnamed fails: only Linux has unnamed files.
var createUnnamed = func(string, fs.FileMode) (*os.File, error) { return nil, errors.ErrUnsupported }

func giveName(*os.File, string) error { return errors.ErrUnsupported }

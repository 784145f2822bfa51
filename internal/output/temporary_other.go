//go:build !linux

package output

import (
	"errors"
	"io/fs"
	"os"
)

// createUnnamed fails: files without a name are a matter of Linux.
var createUnnamed = func(string, fs.FileMode) (*os.File, error) { return nil, errors.ErrUnsupported }

func giveName(*os.File, string) error { return errors.ErrUnsupported }

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/exp/slices"
)

// expand replaces each directory by the regular files below it with one of the extensions, in the order
// of their names.
func expand(args []string, extensions ...string) ([]string, error) {
	if once := slices.Index(args, stdinPath); once >= 0 && slices.Contains(args[once+1:], stdinPath) {
		return nil, usagef("standard input can be read once: name - only once")
	}
	var files []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil || !info.IsDir() || arg == stdinPath {
			files = append(files, arg)
			continue
		}
		before := len(files)
		err = filepath.WalkDir(arg, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && slices.Contains(extensions, strings.ToLower(filepath.Ext(path))) && regular(path, entry) {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, plainError(err)
		}
		if _, err := os.Stat(filepath.Join(arg, "saved_model.pb")); err == nil && len(files) == before {
			return nil, named(arg, invalidError{errors.New("this is a TensorFlow SavedModel, not a TensorFlow Lite model: convert it with tf.lite.TFLiteConverter.from_saved_model")})
		}
		if len(files) == before {
			return nil, named(arg, fmt.Errorf("no file in this directory ends in %s: name another directory, or a file", strings.Join(extensions, " or ")))
		}
	}
	return files, nil
}

// regular reports whether a directory entry is a regular file or a link to one: reading a pipe may
// block forever. Errors are left to the reader.
func regular(path string, entry fs.DirEntry) bool {
	if entry.Type()&fs.ModeSymlink == 0 {
		return entry.Type().IsRegular()
	}
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular()
}

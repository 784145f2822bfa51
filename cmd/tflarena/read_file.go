package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/spelling"
	"github.com/tflarena/tflarena/internal/workers"
	"github.com/tflarena/tflarena/tflite"
)

// await does the work, unless an interrupt comes first: reading may wait for ever, and
// nothing wakes it up. The work is then left to itself.
func await(ctx context.Context, work func() ([]byte, error)) ([]byte, error) {
	type outcome struct {
		data  []byte
		err   error
		cause any
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		o.cause = workers.Run(func() { o.data, o.err = work() })
		done <- o
	}()
	select {
	case o := <-done:
		if o.cause != nil {
			panic(o.cause)
		}
		return o.data, o.err
	case <-ctx.Done():
		return nil, interruptedError{}
	}
}

// readFile reads a file, which may be a pipe: one that nobody writes to cannot even be
// opened. Its error names the file.
func readFile(ctx context.Context, path string, accept func([]byte) error) ([]byte, error) {
	data, _, err := statAndRead(ctx, path, accept)
	return data, err
}

// statAndRead is readFile; it also returns what the file was like before.
func statAndRead(ctx context.Context, path string, accept func([]byte) error) (data []byte, info fs.FileInfo, err error) {
	before := make(chan fs.FileInfo, 1)
	data, err = await(ctx, func() ([]byte, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			return nil, errDirectory
		}
		before <- info
		return tflite.Load(f, accept)
	})
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return nil, nil, plainError(err)
	}
	if err != nil {
		return nil, nil, named(path, err)
	}
	return data, <-before, nil
}

// plainError says "PATH: PROBLEM" without the system call that failed, and what to do
// about it.
func plainError(err error) error {
	e := (*fs.PathError)(nil)
	switch {
	case !errors.As(err, &e):
		return err
	case errors.Is(e.Err, fs.ErrNotExist):
		return named(e.Path, fmt.Errorf("%w; %s", e.Err, missingHint(e.Path)))
	case errors.Is(e.Err, fs.ErrPermission):
		return named(e.Path, fmt.Errorf("%w; allow this user to read it first", e.Err))
	}
	return named(e.Path, e.Err)
}

// missingHint says what may have been meant by a file that does not exist.
func missingHint(path string) string {
	network := strings.TrimSuffix(filepath.Base(path), ".tflite")
	if slices.Contains(networkNames(), network) {
		return fmt.Sprintf("%s%s is the built-in network of this name", builtinPrefix, network)
	}
	var names []string
	entries, _ := os.ReadDir(filepath.Dir(path)) // nothing is like it where there is nothing
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.TrimSpace(spelling.Hint(filepath.Base(path), names) + "check the path")
}

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

// await does the work, unless an interrupt comes first: a read may block forever. The work then
// continues in the background.
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

// readFile reads a file, which may be a pipe: opening one without a writer blocks. Its error names the
// file.
func readFile(ctx context.Context, path string, accept func([]byte) error) ([]byte, error) {
	data, _, err := statAndRead(ctx, path, accept)
	return data, err
}

// statAndRead is readFile; it also returns the file's state before reading.
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

// plainError returns "PATH: PROBLEM" without the failed system call, and a remedy.
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

// missingHint suggests a name for a missing file.
func missingHint(path string) string {
	network := strings.TrimSuffix(filepath.Base(path), ".tflite")
	if slices.Contains(networkNames(), network) {
		return fmt.Sprintf("%s%s is the built-in network of this name", builtinPrefix, network)
	}
	var names []string
	entries, _ := os.ReadDir(filepath.Dir(path)) // without a directory there are no similar names
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.TrimSpace(spelling.Hint(filepath.Base(path), names) + "check the path")
}

package output

import (
	"context"
	"errors"
	"io/fs"
	"os"
)

// WriteFile writes data to path in one step: a file that exists keeps its
// permissions and is replaced only once all data is on the disk. A symbolic link
// keeps pointing to the file that is replaced. What is no regular file, such as a
// pipe or a device, is written to as it is; a pipe that nobody reads cannot even be
// opened, and the end of ctx ends the waiting. Errors are [fs.PathError] or wrap one,
// or are that of ctx.
func WriteFile(ctx context.Context, path string, data []byte) error {
	path, err := Target(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("is a directory")}
	case err == nil && !info.Mode().IsRegular():
		return await(ctx, func() error { return writeThrough(path, data) })
	}
	return replace(path, data)
}

// await does the work, unless ctx ends first: the work is then left to itself. A
// context that has ended before has had its effect already.
func await(ctx context.Context, work func() error) error {
	if ctx.Err() != nil {
		return work()
	}
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func writeThrough(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

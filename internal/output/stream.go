package output

import (
	"context"
	"os"

	"github.com/tflarena/tflarena/internal/workers"
)

// stream writes to anything but a regular file.
func stream(ctx context.Context, file Source, s Streams) error {
	data, err := file.Make()
	if err != nil {
		return err
	}
	fd, isDescriptor := descriptor(file.Path)
	switch {
	case file.Path == Stdout, isDescriptor && fd == stdoutDescriptor:
		_, err := s.Stdout.Write(data)
		return err
	case isDescriptor && fd == stderrDescriptor:
		_, err := s.Stderr.Write(data)
		return err
	}
	return await(ctx, func() error {
		var f *os.File
		var err error
		if isDescriptor {
			f, err = openDescriptor(fd)
		} else {
			f, err = os.OpenFile(file.Path, os.O_WRONLY, 0)
		}
		if err != nil {
			return err
		}
		_, err = f.Write(data)
		if closed := f.Close(); err == nil {
			err = closed
		}
		return err
	})
}

// await does the work, unless ctx ends first: the work then continues in the background. A context that
// has already ended is ignored.
func await(ctx context.Context, work func() error) error {
	if ctx.Err() != nil {
		return work()
	}
	done := make(chan error, 1)
	failed := make(chan any, 1)
	go func() {
		var err error
		if cause := workers.Run(func() { err = work() }); cause != nil {
			failed <- cause
			return
		}
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case cause := <-failed:
		panic(cause)
	case <-ctx.Done():
		return ctx.Err()
	}
}

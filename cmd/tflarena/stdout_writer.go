package main

import "io"

// An errWriter writes to standard output and keeps the first error, which the library's own printers of
// help, versions and completions drop.
type errWriter struct {
	to  io.Writer
	err error
}

func (k *errWriter) Write(data []byte) (int, error) {
	n, err := k.to.Write(data)
	if k.err == nil {
		k.err = err
	}
	return n, err
}

// Err returns the first error, worded like other output errors.
func (k *errWriter) Err() error {
	if k.err == nil {
		return nil
	}
	return stdoutError(k.err)
}

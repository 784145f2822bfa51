//go:build !unix

package output

// surviveBrokenPipe does nothing where a broken pipe is an error anyway.
func surviveBrokenPipe() (restore func()) { return func() {} }

//go:build !unix

package output

// surviveBrokenPipe does nothing, since a broken pipe is an error here anyway.
func surviveBrokenPipe() (restore func()) { return func() {} }

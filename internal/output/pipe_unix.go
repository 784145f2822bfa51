//go:build unix

package output

import (
	"os"
	"os/signal"
	"syscall"
)

// surviveBrokenPipe turns a broken pipe of standard output into an error; otherwise it would kill the
// process and leave temporary files. It returns a function that undoes this.
func surviveBrokenPipe() (restore func()) {
	ignored := make(chan os.Signal, 1)
	signal.Notify(ignored, syscall.SIGPIPE)
	return func() { signal.Stop(ignored) }
}

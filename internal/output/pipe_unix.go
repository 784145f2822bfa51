//go:build unix

package output

import (
	"os"
	"os/signal"
	"syscall"
)

// surviveBrokenPipe makes a reader of standard output that has gone an error, which would
// otherwise kill the process beside its temporary files. It returns what ends that.
func surviveBrokenPipe() (restore func()) {
	ignored := make(chan os.Signal, 1)
	signal.Notify(ignored, syscall.SIGPIPE)
	return func() { signal.Stop(ignored) }
}

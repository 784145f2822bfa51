//go:build unix

package main

import (
	"os"
	"syscall"
)

// otherEndings request an end as an interrupt does, so that no temporary file stays.
var otherEndings = []os.Signal{syscall.SIGTERM, syscall.SIGHUP}

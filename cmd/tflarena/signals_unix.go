//go:build unix

package main

import (
	"os"
	"syscall"
)

// otherEndings ask for an end as an interrupt does, so that no temporary file is left
// behind.
var otherEndings = []os.Signal{syscall.SIGTERM, syscall.SIGHUP}

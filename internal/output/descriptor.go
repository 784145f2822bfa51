package output

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
)

// The descriptors of standard output and of standard error.
const (
	stdoutDescriptor = 1
	stderrDescriptor = 2
)

// wellKnown names descriptors where there is no /proc to follow the links.
var wellKnown = map[string]int{"/dev/stdin": 0, "/dev/stdout": stdoutDescriptor, "/dev/stderr": stderrDescriptor}

// descriptorFolder is a folder whose entries are this process's open files, after its
// symbolic links have been followed.
var descriptorFolder = regexp.MustCompile(fmt.Sprintf(`^(/dev/fd|/proc/%d(/task/[0-9]+)?/fd)$`, os.Getpid()))

// descriptor returns the open file of this process that a path leads to: /dev/stdout,
// /dev/fd/N and /proc/self/fd/N do, and links to them. Such a path must not be opened,
// which would start at the front of a file that others append to, and fail for sockets;
// nor is there anything to be replaced.
func descriptor(path string) (fd int, ok bool) {
	for range maxLinks {
		if fd, ok := wellKnown[path]; ok {
			return fd, true
		}
		if fd, err := strconv.Atoi(filepath.Base(path)); err == nil && fd >= 0 && descriptorFolder.MatchString(folder(path)) {
			return fd, true
		}
		link, err := os.Readlink(path)
		if err != nil {
			return 0, false
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(folder(path), link)
		}
		path = link
	}
	return 0, false
}

// canonical returns the one path that stands for the open file which a path leads to, and
// all other paths as they are.
func canonical(path string) string {
	switch fd, ok := descriptor(path); {
	case !ok:
		return path
	case fd == stdoutDescriptor:
		return Stdout
	case fd == stderrDescriptor:
		return Stderr
	default:
		return canonicalDescriptor(fd)
	}
}

func canonicalDescriptor(fd int) string { return fmt.Sprintf("/dev/fd/%d", fd) }

// IsStream reports whether a path is written to as it is, and never replaced: standard
// output, an open file, a pipe, a device.
func IsStream(path string) bool {
	if _, ok := descriptor(path); ok || path == Stdout {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

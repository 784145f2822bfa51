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

// systemDescriptors maps paths to descriptors on systems without /proc.
var systemDescriptors = map[string]int{"/dev/stdin": 0, "/dev/stdout": stdoutDescriptor, "/dev/stderr": stderrDescriptor}

// descriptorFolder matches folders whose entries are this process's open files, after symbolic links
// have been followed.
var descriptorFolder = regexp.MustCompile(fmt.Sprintf(`^(/dev/fd|/proc/%d(/task/[0-9]+)?/fd)$`, os.Getpid()))

// descriptor returns the open file of this process that a path refers to: /dev/stdout, /dev/fd/N,
// /proc/self/fd/N, or links to them. Such a path must not be opened, which would start at the beginning
// of a file that others append to, and fail for sockets; nor is there anything to replace.
func descriptor(path string) (fd int, ok bool) {
	for range maxLinks {
		if fd, ok := systemDescriptors[path]; ok {
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

// canonical returns the canonical path of an open file, and all other paths unchanged.
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

// IsStream reports whether a path is written to directly and never replaced: standard output, an open
// file, a pipe, a device.
func IsStream(path string) bool {
	if _, ok := descriptor(path); ok || path == Stdout {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

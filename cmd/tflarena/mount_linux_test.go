package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// smallMount returns a file system of so many bytes.
func smallMount(t *testing.T, size int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "mount")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		t.Skip("left out: this user cannot mount a file system: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// readOnlyMount returns a file system with the files of a folder that cannot be
// written to.
func readOnlyMount(t *testing.T, from string) string {
	t.Helper()
	dir := smallMount(t, 1<<20)
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skip("left out: this user cannot mount a file system: ", err)
	}
	return dir
}

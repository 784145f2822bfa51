package output

import "os"

// lock has nothing to do: a file that a process has open cannot be removed.
func lock(*os.File) error { return nil }

// reclaim removes a temporary file, which fails while a run has it open.
func reclaim(name string) { os.Remove(name) }

// release makes a file ready to be renamed, which an open one is not.
func release(f *os.File) error { return f.Close() }
